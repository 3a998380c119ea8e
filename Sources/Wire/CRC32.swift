/// The CRC-32 of zlib, PNG and IEEE 802.3.
public typealias CRC32 = CRC<IEEE8023Polynomial>

public enum IEEE8023Polynomial: CRCPolynomial {
  public static let tables = CRCTables(reflected: 0xEDB8_8320)
}
