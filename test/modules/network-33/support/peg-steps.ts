/** The steps of random peg traffic (peg-traffic.ts). */

import { auxChainOf } from '../../../support/networks.ts'
import { toHex, toQuantity } from '../../../../lib/base/hex.ts'
import type { Hash } from '../../../../lib/base/hex.ts'
import { keccak256 } from '../../../../lib/crypto/keccak.ts'
import { findAuxTransaction } from '../../../../lib/modules/network-33/aux-chain/aux-chain.ts'
import { SENDER_TYPES } from '../../../../lib/modules/network-33/aux-chain/pegin-transaction.ts'
import { FEDERATORS } from '../../../../lib/modules/network-33/aux-chain/registration.ts'
import { toDisplayOrder } from '../../../../lib/modules/network-33/bridge/aux-header.ts'
import {
  readAuxTransaction,
  writeAuxTransaction,
  type AuxTransaction,
} from '../../../../lib/modules/network-33/bridge/aux-transaction.ts'
import { AUTHORIZERS, WEI_PER_SAT } from '../../../../lib/modules/network-33/bridge/constants.ts'
import {
  federationOutputScript,
  genesisFederation,
} from '../../../../lib/modules/network-33/bridge/federation.ts'
import { RELEASED, SIGNING } from '../../../../lib/modules/network-33/bridge/pegout-state.ts'
import { signaturesBy } from '../../../../lib/modules/network-33/bridge/signatures.ts'
import type { Node } from '../../../../lib/node/node.ts'
import { keyScript, witnessKeyInput } from './aux-chain.ts'
import { dataOf } from './bridge.ts'
import { call } from '../../../support/node.ts'
import { BRIDGE } from './peg-in.ts'
import { AGREEMENTS, FORWARDER, PROVIDER, USER } from './peg-traffic.ts'
import type { PegTraffic, Step } from './peg-traffic.ts'
import { COW, COW1, keyOf } from '../../../support/signing.ts'

/** Passes its data and value to the Bridge, and returns the result. */
const FORWARDER_CODE = '0x366000600037600060003660003463010000065af1503d600060003e3d6000f3'

/** Places the contract that calls the Bridge. */
export const placeForwarder = (node: Node): Promise<unknown> =>
  call(node, 'hardhat_setCode', [FORWARDER, FORWARDER_CODE])

/** A transaction of a user on the auxiliary chain with outputs to the federation and to agreements. */
function payFederation(traffic: PegTraffic): Promise<unknown> {
  const federation = genesisFederation(traffic.release)
  const outputs = Array.from({ length: 1 + traffic.below(3) }, () => {
    const agreement = traffic.pick([undefined, undefined, ...AGREEMENTS])
    const sat = traffic.pick([1n, 499_999n, 500_000n, 700_000n, 40_000_000_000n])
    return { sat, script: federationOutputScript(federation, agreement?.hash) }
  })
  const { script, witness = [] } = traffic.pick([
    { script: keyScript(keyOf('cow1')) },
    witnessKeyInput(keyOf('cow1')),
  ])
  const previousId = keccak256(new TextEncoder().encode(`outside ${traffic.log.length}`))
  const input = { previousId, previousIndex: 0, sequence: 0xffff_ffff, script }
  return traffic.call('dev_auxSend', [toHex(writeAuxTransaction([input], outputs, [witness]))])
}

/** The arguments that register a transaction of the auxiliary chain, also with one confirmation only. */
async function proofOf(
  traffic: PegTraffic,
  transaction: AuxTransaction | undefined,
): Promise<readonly unknown[] | undefined> {
  if (transaction === undefined) return undefined
  const found = await traffic.call('dev_auxTransaction', [toDisplayOrder(transaction.id)])
  return found?.height ? [found.raw, BigInt(found.height), found.partialMerkleTree] : undefined
}

/** One of the last transactions of the auxiliary chain. */
function recent(traffic: PegTraffic): AuxTransaction | undefined {
  const blocks = auxChainOf(traffic.node).blocks.slice(-20)
  return traffic.pick(blocks.flatMap(({ transactions }) => transactions.slice(1)))
}

const [FEE_VOTER = ''] = AUTHORIZERS.feePerKb

const member = (traffic: PegTraffic): string => traffic.pick(FEDERATORS).address

async function signRelease(traffic: PegTraffic): Promise<void> {
  const waiting = SIGNING.read(traffic.storage)
  if (waiting.length === 0) return
  const batch = traffic.pick(waiting)
  const own = signaturesBy(traffic.pick(FEDERATORS).privateKey, batch)
  if (own === undefined) return
  const fitting = own.signatures.map(toHex)
  const wrong = fitting.map((text) => `${text.slice(0, -2)}${text.endsWith('00') ? '01' : '00'}`)
  const signatures = traffic.pick([fitting, fitting, fitting, wrong, fitting.slice(1), [...fitting, '0x00']])
  const hash = traffic.pick([
    batch.transactionHash,
    batch.transactionHash,
    batch.transactionHash,
    `0x${'01'.repeat(32)}` as Hash,
  ])
  await traffic.send(member(traffic), dataOf('addSignature', [toHex(own.key), signatures, hash]))
}

async function registerRecent(traffic: PegTraffic): Promise<void> {
  const proof = await proofOf(traffic, recent(traffic))
  if (proof) await traffic.send(COW, dataOf('registerAuxTransaction', proof))
}

async function registerFlyover(traffic: PegTraffic): Promise<void> {
  const proof = await proofOf(traffic, recent(traffic))
  if (!proof) return
  const { argumentsHash } = traffic.pick(AGREEMENTS)
  const terms = [toHex(argumentsHash), toHex(USER), FORWARDER, toHex(PROVIDER), traffic.below(2) === 0]
  await traffic.send(COW, dataOf('registerFastBridgeAuxTransaction', [...proof, ...terms]), 0n, FORWARDER)
}

async function publishRelease(traffic: PegTraffic): Promise<void> {
  const released = RELEASED.read(traffic.storage)
  if (released.length === 0) return
  const { id, raw } = traffic.pick(released)
  if (findAuxTransaction(auxChainOf(traffic.node), toDisplayOrder(id)) === undefined)
    await traffic.call('dev_auxSend', [toHex(raw)])
  await traffic.call('dev_auxMine', [traffic.below(4)])
  const proof = await proofOf(traffic, readAuxTransaction(raw))
  if (proof) await traffic.send(COW1, dataOf('registerAuxTransaction', proof))
}

const requestPegOut = (traffic: PegTraffic): Promise<void> =>
  traffic.send(
    traffic.pick([COW, COW1]),
    '0x',
    traffic.pick([1n, 249_999n, 250_000n, 499_000n, 898_000n, 3_000_000n, 30_000_000n]) * WEI_PER_SAT +
      BigInt(traffic.below(2)),
    traffic.pick([BRIDGE, BRIDGE, BRIDGE, FORWARDER]),
  )

const pegIn = (traffic: PegTraffic): Promise<unknown> =>
  traffic.call('dev_pegIn', [
    {
      to: traffic.pick([COW1, COW]),
      amount: toQuantity(traffic.pick([20_000n, 499_999n, 500_000n, 900_000n, 70_000_000n]) * WEI_PER_SAT),
      version: traffic.below(2),
      senderType: traffic.pick(SENDER_TYPES),
    },
  ])

const updateCollections = (traffic: PegTraffic): Promise<void> =>
  traffic.send(member(traffic), dataOf('updateCollections', []))

/** The same step in one of so many cases. */
const seldom =
  (cases: number, run: Step) =>
  (traffic: PegTraffic): Promise<unknown> =>
    traffic.below(cases) === 0 ? run(traffic) : Promise.resolve()

/** Kinds of steps. Those that occur twice are more frequent. */
export const STEPS: readonly (readonly [name: string, run: Step])[] = [
  ['peg-in', pegIn],
  ['peg-in', pegIn],
  ['payment', payFederation],
  ['auxiliary blocks', (traffic) => traffic.call('dev_auxMine', [traffic.below(4)])],
  ['registration', registerRecent],
  ['registration', registerRecent],
  ['flyover', registerFlyover],
  ['request', requestPegOut],
  ['request', requestPegOut],
  ['collections', updateCollections],
  ['collections', updateCollections],
  ['blocks', (traffic) => traffic.call('evm_mine', [{ blocks: traffic.pick([1, 3, 3, 20, 60]) }])],
  ['signature', signRelease],
  ['signature', signRelease],
  ['signature', signRelease],
  ['release', publishRelease],
  ['step of the federation', seldom(12, (traffic) => traffic.call('dev_federationStep'))],
  [
    'peg-out',
    seldom(12, (traffic) =>
      traffic.call('dev_pegOut', [{ from: COW, amount: toQuantity(300_000n * WEI_PER_SAT) }]),
    ),
  ],
  [
    'fee',
    (traffic) =>
      traffic.send(
        FEE_VOTER,
        dataOf('voteFeePerKbChange', [traffic.pick([1n, 30_000n, 100_000n, 800_000n])]),
      ),
  ],
  ['snapshot', (traffic) => traffic.takeSnapshot()],
  ['revert', seldom(3, (traffic) => traffic.revert())],
  ['world', seldom(3, (traffic) => traffic.changeWorld())],
]
