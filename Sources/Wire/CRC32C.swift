/// The CRC-32C of iSCSI, ext4 and TensorBoard's event files.
public typealias CRC32C = CRC<CastagnoliPolynomial>

public enum CastagnoliPolynomial: CRCPolynomial {
  public static let tables = CRCTables(reflected: 0x82F6_3B78)
}
