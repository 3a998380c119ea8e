#!/bin/sh
# Puts Fashion-MNIST into Data/fashion-mnist: links to the files of Debian's package, and the names of the classes.
set -eu

scripts=$(dirname -- "$0")
folder=$scripts/../Data/fashion-mnist
package=/usr/share/datasets/fashion-mnist

if [ ! -e "$package/train-images-idx3-ubyte.gz" ]; then
  "$scripts/install-packages.sh" "which holds Fashion-MNIST" dataset-fashion-mnist
fi

mkdir -p "$folder"
for part in train t10k; do
  for file in "$part-images-idx3-ubyte.gz" "$part-labels-idx1-ubyte.gz"; do
    # A copy that somebody put there stays; a link that leads nowhere does not.
    [ -e "$folder/$file" ] || ln -sf "$package/$file" "$folder/$file"
  done
done

cat >"$folder/labels.txt" <<'LABELS'
T-shirt/top
Trouser
Pullover
Dress
Coat
Sandal
Shirt
Sneaker
Bag
Ankle boot
LABELS
echo "Data/fashion-mnist: 60,000 training and 10,000 test images, labels.txt"
