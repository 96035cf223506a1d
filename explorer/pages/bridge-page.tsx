/** The Bridge of network 33: federation, coins, peg-outs by stage, and the auxiliary chain of the node. */

import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { RpcMethods } from '../../lib/embed/rpc-types.ts'
import { ask, RpcError } from '../client/json-rpc.ts'
import { chainVersion } from '../client/live.ts'
import { useLoaded } from '../client/loaded.ts'
import { usePageTitle } from '../client/page-title.ts'
import { grouped } from '../format/amounts.ts'
import { unitText } from '../format/token-amount.ts'
import { ColumnTable, ListSection } from '../parts/column-table.tsx'
import { AddressLink, BlockLink, Hex, TransactionLink } from '../parts/hex.tsx'
import { Amount, Count, Fields, Section, Showing } from '../parts/page-parts.tsx'

type Bridge = RpcMethods['dev_bridge']['result']
type Release = Bridge['confirming' | 'signing'][number]

const BRIDGE = '0x0000000000000000000000000000000001000006'

/** Milliseconds between looks for changes of the auxiliary chain, which make no block of this one. */
const LOOK_MS = 1500

const METHOD_NOT_FOUND = -32601

const askBridge = (): Promise<Bridge> =>
  ask('dev_bridge').catch((error: unknown) => {
    const isAbsent = error instanceof RpcError && error.code === METHOD_NOT_FOUND
    throw isAbsent ? new Error('this network has no Bridge') : error
  })

export function BridgePage(): VNode {
  usePageTitle('Bridge')
  const [looks, setLooks] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setLooks((count) => count + 1), LOOK_MS)
    return () => clearInterval(timer)
  }, [])
  const bridge = useLoaded(askBridge, ['bridge', chainVersion.value, looks])
  return (
    <>
      <h1>
        Bridge
        <span class="facts">
          <AddressLink value={BRIDGE} />
        </span>
      </h1>
      <Showing of={bridge}>
        {(found) => (
          <>
            <Federation {...found} />
            <Coins {...found} />
            <Requests {...found} />
            <Refused version={chainVersion.value} />
            <Confirming {...found} />
            <Signing {...found} />
            <AuxChain {...found} />
          </>
        )}
      </Showing>
    </>
  )
}

/** Decimal places of a coin. */
const COIN_DECIMALS = 8

/** An amount of the auxiliary chain in coins, in sat in its title. */
const Coin = ({ sat }: { readonly sat: string | bigint }): VNode => (
  <span class="number" title={`${grouped(sat)} sat`}>
    {unitText(BigInt(sat), COIN_DECIMALS)} coins
  </span>
)

const Federation = ({ federation, retiringFederation, lockingCap, feePerKb }: Bridge): VNode => {
  const { address, kind, threshold, members } = federation
  return (
    <Section title="Federation">
      <Fields
        rows={[
          ['Address on the auxiliary chain', <Hex value={address} isWhole />],
          ['Script', kind === 'plain' ? 'multisig' : 'nested witness, with an emergency branch'],
          ['Signatures', `${threshold} of ${members.length}`],
          [
            'Retiring federation',
            retiringFederation === null ? 'none' : <Hex value={retiringFederation.address} isWhole />,
          ],
          ['Locking cap', <Coin sat={lockingCap} />],
          ['Fee per 1,000 bytes', <Coin sat={feePerKb} />],
        ]}
      />
      <ColumnTable
        title="Members"
        items={members}
        columns={[
          ['Member', ({ account }) => <AddressLink value={account} />],
          ['Key on the auxiliary chain', ({ publicKey }) => <Hex value={publicKey} />],
        ]}
      />
    </Section>
  )
}

const Coins = ({ coins }: Bridge): VNode => (
  <ListSection
    title="Coins"
    items={coins}
    empty={
      <>
        The federation holds no coins: <code>dev_pegIn</code> pegs some in.
      </>
    }
    columns={[
      [
        'Output on the auxiliary chain',
        ({ txid, index }) => (
          <>
            <Hex value={txid} /> output {index}
          </>
        ),
      ],
      ['Amount', ({ sat }) => <Coin sat={sat} />, 'number'],
      [
        'Flyover deposit',
        ({ flyoverHash }) =>
          flyoverHash === null ? <span class="quiet">no</span> : <Hex value={flyoverHash} />,
      ],
    ]}
  />
)

const Requests = ({ queue, nextBatch }: Bridge): VNode => (
  <ListSection
    title="Peg-outs that wait for a batch"
    items={queue}
    note={
      <>
        A call of <code>updateCollections</code> makes the next batch, from block <Count of={nextBatch} /> on.
      </>
    }
    empty="None: 0.0025 coins or more that an account sends to the Bridge are a request."
    columns={[
      ['Receiver on the auxiliary chain', ({ address }) => <Hex value={address ?? ''} isWhole />],
      ['Amount', ({ sat }) => <Coin sat={sat} />, 'number'],
      ['Request', ({ transactionHash }) => <TransactionLink value={transactionHash} />],
    ]}
  />
)

/** `release_request_rejected(address indexed sender, uint256 amount, int256 reason)` (node-chain 10.8). */
const REFUSED = '0xb607c3e1fbe6b38cd145b15b837f7b722b199caa60e3057b36c141adee3b75e7'

/** Reasons by their code in the event. */
const REASONS: readonly (string | undefined)[] = [
  undefined,
  'the amount is below the minimum',
  'a contract sent it, which has no key on the auxiliary chain: its coins stay in the Bridge',
  'the amount does not cover the fee',
]

const wordAt = (data: string, index: number): bigint =>
  BigInt(`0x${data.slice(2 + 64 * index, 66 + 64 * index)}`)

function Refused({ version }: { readonly version: number }): VNode {
  const logs = useLoaded(
    () => ask('eth_getLogs', { address: BRIDGE, topics: [REFUSED], fromBlock: '0x0', toBlock: 'latest' }),
    ['refused', version],
  )
  return (
    <Showing of={logs}>
      {(refused) => (
        <ListSection
          title="Refused peg-outs"
          items={refused.toReversed()}
          empty="None."
          columns={[
            ['Sender', ({ topics }) => <AddressLink value={`0x${topics[1]?.slice(26)}`} />],
            ['Amount', ({ data }) => <Amount wei={wordAt(data, 0)} />, 'number'],
            ['Why', ({ data }) => REASONS[Number(wordAt(data, 1))] ?? `reason ${wordAt(data, 1)}`],
            ['Request', ({ transactionHash }) => <TransactionLink value={transactionHash ?? ''} />],
          ]}
        />
      )}
    </Showing>
  )
}

/** Columns of releases at both stages. */
const RELEASE_COLUMNS = [
  ['Transaction of the auxiliary chain', (release: Release) => <ReleaseCell release={release} />],
  [
    'Pays',
    ({ outputs }: Release) =>
      outputs.map(({ address, sat }, index) => (
        <div key={index}>
          <Coin sat={sat} /> <span class="quiet">to</span>{' '}
          {address === null ? 'a script' : <Hex value={address} />}
        </div>
      )),
  ],
  ['Made by', ({ transactionHash }: Release) => <TransactionLink value={transactionHash} />],
  ['In block', ({ createdIn }: Release) => <BlockLink number={Number(createdIn)} />],
] as const

const ReleaseCell = ({ release: { txid, raw } }: { readonly release: Release }): VNode => (
  <>
    <Hex value={txid} />
    <div>
      <span class="quiet">bytes</span> <Hex value={raw} />
    </div>
  </>
)

const Confirming = ({ confirming }: Bridge): VNode => (
  <ListSection
    title="Releases that wait for confirmations"
    items={confirming}
    empty={
      <>
        None: a member of the federation calls <code>updateCollections</code>, which makes a batch.
      </>
    }
    columns={[...RELEASE_COLUMNS, ['Ripe in block', ({ ripeAt }) => <Count of={ripeAt} />, 'number']]}
  />
)

const Signing = ({ signing }: Bridge): VNode => (
  <ListSection
    title="Releases that wait for signatures"
    items={signing}
    empty={
      <>
        None: <code>updateCollections</code> passes a ripe release on, and members call{' '}
        <code>addSignature</code>.
      </>
    }
    columns={[
      ...RELEASE_COLUMNS,
      ['Signatures', ({ signatures, threshold }) => `${signatures} of ${threshold}`, 'number'],
    ]}
  />
)

const AuxChain = ({ auxiliaryChain: { blocks, pool }, bestHeight }: Bridge): VNode => (
  <Section title="Auxiliary chain of the node">
    <p class="quiet">
      The Bridge knows its headers up to height <Count of={bestHeight} />.
    </p>
    {pool.length > 0 && (
      <p>
        Waiting for a block: <Transactions ids={pool} />
      </p>
    )}
    {blocks.length === 0 ? (
      <p class="quiet">
        It has no blocks yet: <code>dev_pegIn</code> mines three.
      </p>
    ) : (
      <ColumnTable
        title="Blocks of the auxiliary chain"
        items={blocks}
        columns={[
          ['Height', ({ height }) => <Count of={height} />],
          ['Block', ({ hash }) => <Hex value={hash} />],
          [
            'Transactions besides the coinbase',
            ({ transactions }) => <Transactions ids={transactions.slice(1)} />,
          ],
        ]}
      />
    )}
  </Section>
)

const Transactions = ({ ids }: { readonly ids: readonly string[] }): VNode =>
  ids.length === 0 ? (
    <span class="quiet">none</span>
  ) : (
    <>
      {ids.map((id) => (
        <span key={id}>
          <Hex value={id} />{' '}
        </span>
      ))}
    </>
  )
