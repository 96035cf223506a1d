/** Who calls the Bridge for nothing: the federators and those who authorize changes of it (node-chain 7.3, 11.3). */

import { asAddress } from '../../base/hex.ts'
import type { Address } from '../../base/hex.ts'

const BRIDGE = asAddress('0x0000000000000000000000000000000001000006')

const SENDERS: ReadonlySet<Address> = new Set(
  [
    // Federators.
    '0x85845342b0d5260d516d6da5280a7df9a96d1925',
    '0x138161cda86b55c0de1bc3a0adef974633c85fbe',
    '0x6b045752f4d650a510a353bbf7e52988331e7f5b',
    // Change of the federation.
    '0x5252403bca6ac3c104abdd320a736fa38282045d',
    '0x0d8c44bd578a4e7148d1758b3332b529e93e48c1',
    '0x566bca18df14ed75efcc1a8a4f3947e81132dbbc',
    '0x2e7c9159614ddc0185e335d3343e92700c3e5a2d',
    '0xf0652637df184eca87e6bde29893825721dfb79f',
    // Fee per kB, lock whitelist, locking cap, address of the union contract.
    '0x53f8f6dabd612b6137215ddd7758bb5cdd638922',
    '0x87d2a0f33744929da08b65fd62b627ea52b25f8e',
    '0x6913bd4715eff3b25501f3212f15df38296d1f21',
    '0x6c9dfd950bf748bb26f893f7e5f693c7f60a8f85',
  ].map(asAddress),
)

/** Whether the Bridge is called by one of its own. */
export const isFreeBridgeCall = (sender: Address, to: Address | undefined): boolean =>
  to === BRIDGE && SENDERS.has(sender)
