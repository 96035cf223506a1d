/** The tokens that an account holds, of those on the chain. */

import type { VNode } from 'preact'
import { calmVersion } from '../client/calm-version.ts'
import { ask } from '../client/json-rpc.ts'
import { useLoaded } from '../client/loaded.ts'
import { Showing } from './page-parts.tsx'
import { TokenAmount } from './token-amount.tsx'

/** Selector of `balanceOf(address)` (ERC-20). */
const BALANCE_OF = '0x70a08231'

interface TokenBalance {
  readonly token: string
  readonly amount: bigint
}

/** Balances above zero. A contract that the list of contracts leaves out is not asked. */
async function balancesOf(address: string): Promise<readonly TokenBalance[]> {
  const { contracts } = await ask('dev_contracts')
  const { units } = await ask(
    'dev_nameAddresses',
    contracts.map((contract) => contract.address),
  )
  const data = BALANCE_OF + address.slice(2).toLowerCase().padStart(64, '0')
  const balances = await Promise.all(
    Object.keys(units).map(async (token) => {
      const word = await ask('eth_call', { to: token, data }, 'latest').catch(() => '0x')
      return { token, amount: /^0x[0-9a-f]{64}$/.test(word) ? BigInt(word) : 0n }
    }),
  )
  return balances.filter(({ amount }) => amount > 0n)
}

export function TokenBalances({ address }: { readonly address: string }): VNode {
  const balances = useLoaded(() => balancesOf(address), [address, calmVersion.value])
  return (
    <Showing of={balances}>
      {(all) =>
        all.length === 0 ? (
          <span class="quiet">none</span>
        ) : (
          <ul class="balances">
            {all.map(({ token, amount }) => (
              <li key={token}>
                <TokenAmount token={token} amount={amount} />
              </li>
            ))}
          </ul>
        )
      }
    </Showing>
  )
}
