/** The predeployed contracts on both kinds of network, called by viem. */
import { describe, expect, test } from '@jest/globals'
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  getCreate2Address,
  http,
  keccak256,
  pad,
  parseAbi,
} from 'viem'
import type { Hex } from 'viem'
import type { OptionsInput } from '../../lib/modules/options.ts'
import { loadContracts } from '../support/contracts.ts'
import { call, freshNode } from '../support/node.ts'
import { withServer } from '../support/server.ts'

const PROXY = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const SAFE_FACTORY = '0x914d7fec6aac8cd542e72bca78b30650d45643d7'
const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'

/** Hashes of the runtime code, from block explorers and from the projects of the contracts. */
const CODE_HASHES = {
  [PROXY]: '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
  [SAFE_FACTORY]: '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989',
  [MULTICALL3]: '0xd5c15df687b16f2ff992fc8d767b4216323184a2bbc6ee2f9c398c318e770891',
} as const

const SALT = `0x${'07'.repeat(32)}` as const

async function codesOf(options: OptionsInput): Promise<readonly unknown[]> {
  const node = await freshNode(options)
  const codes = await Promise.all(
    Object.keys(CODE_HASHES).map((address) => call(node, 'eth_getCode', [address, 'latest'])),
  )
  await node.close()
  return codes
}

const NO_CODE = Object.keys(CODE_HASHES).map(() => '0x')

/** Clients as an application has them: the chain says where Multicall3 is. */
async function withClients(
  options: OptionsInput,
  run: (clients: ReturnType<typeof connect>) => Promise<void>,
): Promise<void> {
  await withServer({ dialect: 'ethereum', ...options }, async ({ url, network, accounts }) => {
    await run(connect(url, Number(network.chainId), accounts[0]!.address))
  })
}

function connect(url: string, id: number, account: Hex) {
  const chain = defineChain({
    id,
    name: 'local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
    contracts: { multicall3: { address: MULTICALL3 } },
  })
  return {
    account,
    reader: createPublicClient({ chain, transport: http(url), pollingInterval: 20 }),
    writer: createWalletClient({ chain, transport: http(url), account }),
  }
}

describe('predeployed contracts', () => {
  test.each<[OptionsInput]>([
    [{ network: 'ethereum' }],
    [{ network: 'ethereum', hardfork: 'london' }],
    [{ network: 'network-33', predeploys: true }],
  ])('have the code of public networks: %j', async (options) => {
    const codes = await codesOf(options)
    expect(codes.map((code) => keccak256(code as Hex))).toEqual(Object.values(CODE_HASHES))
  })

  test.each<[OptionsInput]>([
    [{ network: 'ethereum', noPredeploys: true }],
    [{ network: 'ethereum', predeploys: false }],
    [{}],
  ])('are absent: %j', async (options) => {
    expect(await codesOf(options)).toEqual(NO_CODE)
  })

  test('do not change the genesis of network 33', async () => {
    const hashes = await Promise.all(
      [{}, { noPredeploys: true }].map(
        async (options) => (await freshNode(options)).chain.genesis.block.hash,
      ),
    )
    expect(new Set(hashes).size).toBe(1)
  })
})

const ENTRY_POINTS = [
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
] as const

describe.each<[OptionsInput]>([
  [{ network: 'ethereum', predeploys: 'erc4337' }],
  [{ network: 'ethereum', predeploys: 'erc4337', chainId: 1n }],
  [{ predeploys: 'erc4337', defaultGas: 'estimate' }],
])('the entry points of ERC-4337 with %j', (options) => {
  test.each(ENTRY_POINTS)('%s keeps deposits and creates accounts', (address) =>
    withClients(options, async ({ reader, writer, account }) => {
      const abi = parseAbi([
        'function depositTo(address) payable',
        'function balanceOf(address) view returns (uint256)',
        'function getNonce(address,uint192) view returns (uint256)',
        'function getSenderAddress(bytes)',
        'error SenderAddressResult(address)',
      ])
      await writer.writeContract({ address, abi, functionName: 'depositTo', args: [account], value: 7n })
      expect(await reader.readContract({ address, abi, functionName: 'balanceOf', args: [account] })).toBe(7n)
      const args = [account, 5n] as const
      expect(await reader.readContract({ address, abi, functionName: 'getNonce', args })).toBe(5n << 64n)
      // Its creator of accounts calls the identity precompile, which answers the address in the data.
      const initCode = `0x${'00'.repeat(19)}04${pad('0x12').slice(2)}` as const
      const asked = reader.simulateContract({
        address,
        abi,
        functionName: 'getSenderAddress',
        args: [initCode],
      })
      await expect(asked).rejects.toThrow(
        /SenderAddressResult.*\n +\(0x0000000000000000000000000000000000000012\)/,
      )
    }),
  )
})

test('the entry points are absent without the value erc4337', async () => {
  const node = await freshNode({ network: 'ethereum', predeploys: true })
  for (const address of ENTRY_POINTS) expect(await call(node, 'eth_getCode', [address, 'latest'])).toBe('0x')
  await node.close()
})

describe.each<[OptionsInput]>([[{ network: 'ethereum' }], [{ predeploys: true, defaultGas: 'estimate' }]])(
  'with %j',
  (options) => {
    test('viem reads several values in one call of Multicall3', async () => {
      await withClients(options, async ({ reader, account }) => {
        const abi = parseAbi([
          'function getEthBalance(address) view returns (uint256)',
          'function getChainId() view returns (uint256)',
        ])
        const results = await reader.multicall({
          contracts: [
            { address: MULTICALL3, abi, functionName: 'getEthBalance', args: [account] },
            { address: MULTICALL3, abi, functionName: 'getChainId' },
          ],
          allowFailure: false,
        })
        expect(results).toEqual([await reader.getBalance({ address: account }), BigInt(reader.chain.id)])
      })
    })

    test.each<Hex>([PROXY, SAFE_FACTORY])('%s deploys to the CREATE2 address', async (to) => {
      const { Storage } = await loadContracts()
      const bytecode = `${Storage.bytecode}${pad('0x07').slice(2)}` as Hex
      await withClients(options, async ({ reader, writer }) => {
        const hash = await writer.sendTransaction({ to, data: `${SALT}${bytecode.slice(2)}` })
        await reader.waitForTransactionReceipt({ hash })
        const address = getCreate2Address({ from: to, salt: SALT, bytecode })
        expect(await reader.getCode({ address })).toHaveLength(Storage.deployedBytecode.length)
      })
    })
  },
)
