#!/usr/bin/env bash
# Deploys an escrow of five coins with a script of forge, and tries with cast what can happen to it.
set -euo pipefail

fail() {
  echo "not ok: $1"
  exit 1
}

deployer=$(cast rpc eth_accounts | cut -d '"' -f 2)
buyer=0x00000000000000000000000000000000000B00b5 # nobody has its key
seller=0x0000000000000000000000000000000000005e11
coins=5000000000000000000

forge script script/Deploy.s.sol --rpc-url "$ETH_RPC_URL" --broadcast --unlocked --sender "$deployer" \
  --sig 'run(address,address)' "$buyer" "$seller" >/dev/null
escrow=$(cast compute-address "$deployer" --nonce 0 | grep -o '0x.*')
[ "$(cast balance "$escrow")" = "$coins" ] || fail 'the escrow has no coins'
deployed=$(cast rpc evm_snapshot)

cast send "$escrow" 'release()' --from "$deployer" --unlocked 2>/dev/null && fail 'a stranger releases them'
echo 'ok: a stranger cannot release the coins:'
dev-node explain --last

cast rpc anvil_impersonateAccount "$buyer" >/dev/null
cast rpc anvil_setBalance "$buyer" 0xde0b6b3a7640000 >/dev/null
cast send "$escrow" 'release()' --from "$buyer" --unlocked >/dev/null
[ "$(cast balance "$seller")" = "$coins" ] || fail 'the seller has not got them'
echo 'ok: the buyer, impersonated, releases them'

cast rpc evm_revert "$deployed" >/dev/null
cast send "$escrow" 'refund()' --from "$deployer" --unlocked 2>/dev/null && fail 'a refund before a week'
cast rpc evm_increaseTime 604800 >/dev/null
cast send "$escrow" 'refund()' --from "$deployer" --unlocked >/dev/null
[ "$(cast balance "$buyer")" = "$coins" ] || fail 'the buyer has not got them back'
echo 'ok: a week later, on the reverted chain, the buyer has them back'
