import { describe, expect, test } from '@jest/globals'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { encodeErrorResult, parseAbi } from 'viem'
import { ContractCatalog } from '../../../lib/insight/artifacts/catalog.ts'
import { CustomErrors, NamedContracts } from '../../../lib/insight/artifacts/named-contracts.ts'
import { ChainInstance } from '../../../lib/chain/instance/chain-instance.ts'

const abi = parseAbi(['error Broke(uint256 debt)', 'function pay()'])
const data = encodeErrorResult({ abi, errorName: 'Broke', args: [5n] })

/** A folder with these files, and its custom errors, with a clock that the test moves. */
async function errorsIn(files: Readonly<Record<string, unknown>>) {
  const folder = await mkdtemp(join(tmpdir(), 'artifacts-'))
  const put = async (path: string, content: unknown): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  for (const [path, content] of Object.entries(files)) await put(path, content)
  const clock = { nowMs: 0 }
  const now = () => clock.nowMs
  const catalog = new ContractCatalog([folder], now)
  const named = new NamedContracts(new ChainInstance())
  return { catalog, errors: new CustomErrors(catalog, named), put, clock, folder }
}

describe('an artifact', () => {
  test.each<readonly [string, string, unknown]>([
    [
      'of Hardhat',
      'contracts/Bank.sol/Bank.json',
      { _format: 'hh-sol-artifact-1', contractName: 'Bank', abi },
    ],
    ['of Foundry', 'Bank.sol/Bank.json', { abi, bytecode: { object: '0x' }, methodIdentifiers: {} }],
    ['of Truffle', 'Bank.json', { contractName: 'Bank', abi, networks: {} }],
    ['that is an ABI alone', 'Bank.abi.json', abi],
    ['written over several lines', 'Bank.json', JSON.stringify({ abi }, undefined, 2)],
  ])('is read: %s', async (_case, path, content) => {
    const { errors } = await errorsIn({ [path]: content })
    await errors.resolve(data)
    expect(errors.textOf(data)).toBe('Broke(5)')
  })

  test.each<readonly [string, string, unknown]>([
    ['broken', 'Bank.json', '{"abi":[{"type":"error"'],
    ['without an ABI', 'package.json', { type: 'error' }],
    ['of no object', 'Bank.json', '"\\"type\\":\\"error\\""'],
    ['build information', 'build-info/1.json', { abi }],
    ['hidden', '.cache/Bank.json', { abi }],
    ['of another kind', 'Bank.txt', { abi }],
  ])('is ignored: %s', async (_case, path, content) => {
    const { errors } = await errorsIn({ [path]: content })
    await errors.resolve(data)
    expect(errors.textOf(data)).toBeUndefined()
  })
})

test('nothing is read before it is needed', async () => {
  const { catalog, errors, folder } = await errorsIn({ 'Bank.json': { abi } })
  await catalog.check()
  expect(errors.textOf(data)).toBeUndefined()
  await rm(folder, { recursive: true })
  await errors.resolve(data)
  expect(errors.textOf(data)).toBeUndefined()
})

test('a contract that is compiled later is found, after a second', async () => {
  const { errors, put, clock } = await errorsIn({ 'Other.json': { abi: [] } })
  await errors.resolve(data)
  await put('Bank.json', { abi })
  await errors.resolve(data)
  expect(errors.textOf(data)).toBeUndefined()
  clock.nowMs += 1000
  await Promise.all([errors.resolve(data), errors.resolve(data)])
  expect(errors.textOf(data)).toBe('Broke(5)')
})

test('an error whose data does not fit has no text', async () => {
  const { errors } = await errorsIn({ 'Bank.json': { abi } })
  await errors.resolve(data)
  expect(errors.textOf(data.slice(0, 40))).toBeUndefined()
})

test('a folder that is a file is refused by name', async () => {
  const { folder } = await errorsIn({ 'Bank.json': { abi } })
  const wrong = new ContractCatalog([folder, join(folder, 'Bank.json')], () => 0)
  await expect(wrong.check()).rejects.toMatchObject({
    kind: 'invalidOption',
    message: expect.stringContaining('Bank.json'),
  })
})
