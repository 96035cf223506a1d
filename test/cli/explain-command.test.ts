/** `dev-node explain` against a running node. */

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ContractFactory, Interface, JsonRpcProvider } from 'ethers'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { main } from '../../lib/cli/main.ts'
import { lastRunPath } from '../../lib/modules/report/report.ts'
import { compileProject, hardhat2, writeProject } from '../support/artifact-projects.ts'
import { failed, lineOf, plain, withShop } from '../support/shop.ts'
import { ask, rpc, withServer } from '../support/server.ts'
import { withPorts } from '../support/usual-ports.ts'
import { COW } from '../support/signing.ts'
import { fakeProcess } from './fake-server.ts'

async function run(...argv: readonly string[]) {
  const { io, written } = fakeProcess(['explain', ...argv])
  const code = await main({ ...io, isTTY: false })
  return { code, ...written }
}

const PAYER = `0x${'31'.repeat(20)}`
const PAYING_PATH = 'contracts/Vault.sol'
const COIN = readFileSync(join(import.meta.dirname, '../../fixtures/explorer/Vault.sol'), 'utf8')
const PAYING = compileProject({
  [PAYING_PATH]: `${COIN}
contract Payer {
    Coin immutable coin;
    constructor(Coin c) { coin = c; }
    function payTwice(uint256 amount) external {
        coin.transferFrom(msg.sender, address(this), amount);
        try coin.transferFrom(msg.sender, address(this), amount) {} catch {}
    }
}
`,
})
const HASH = `0x${'ab'.repeat(32)}`

// The last run of this folder, if there is one, is asked where no node answers.
beforeAll(() => rm(lastRunPath('.'), { force: true }))

describe('dev-node explain', () => {
  test('prints reason, Solidity stack, calls and balances of a failure', async () => {
    await withShop(hardhat2(plain), async ({ url, shop, token }) => {
      const { hash } = await failed(shop, 'buy', 30)
      const { code, stdout, stderr } = await run(hash, '--url', url)
      expect([code, stderr]).toEqual([0, ''])
      const error = "reverted with custom error 'TooPoor(account 0, 1000, 3000)'"
      const [first, ...lines] = stdout.trimEnd().split('\n')
      expect(first).toMatch(/^reverted with custom error 'TooPoor\(account 0, 1000, 3000\)', \d+ gas$/)
      expect(lines.slice(0, 6)).toEqual([
        `  at Token._move (contracts/Shop.sol:${lineOf('revert TooPoor')}:37)`,
        '     if (balances[from] < value) revert TooPoor(from, balances[from], value);',
        `  at Token.transferFrom (contracts/Shop.sol:${lineOf('_move(from, to, value);')}:9)`,
        '     _move(from, to, value);',
        `  at Shop.buy (contracts/Shop.sol:${lineOf('require(token.transferFrom')}:17)`,
        '     require(token.transferFrom(msg.sender, address(this), Prices.total(100, count)), "no");',
      ])
      const gasOf = (line = '') => line.replace(/ \d+ gas$/, '')
      expect(lines.slice(6, 10).map(gasOf)).toEqual([
        '',
        'call Shop.buy(count: 30) reverted',
        '├─ console.log sold 0',
        `└─ call Token.transferFrom(from: account 0, to: Shop, value: 3000) ${error}`,
      ])
      expect(lines[11]).toBe('balances')
      expect(await token.getAddress()).not.toBe(await shop.getAddress())
    })
  })

  test('prints events, results, variables and tokens of a success, and JSON', async () => {
    await withShop(hardhat2(plain), async ({ url, shop }) => {
      const { hash } = (await shop['buy']!(2)) as { hash: string }
      const { stdout } = await run(hash, '--url', url)
      expect(stdout).toMatch(/^success, \d+ gas\n/)
      expect(stdout).toContain(`value: 200) → true`)
      expect(stdout).toContain('   └─ Transfer(from: account 0, to: Shop, value: 200)')
      expect(stdout).toContain(
        '\nstorage\n  Shop sold: 0 → 2\n  Token allowances[account 0][Shop]: 5000 → 4800\n',
      )
      expect(stdout).toContain('\ntokens\n  200 Token from account 0 to Shop\n')
      const json = await run(hash, '--json', '--url', url)
      expect(JSON.parse(json.stdout)).toMatchObject({ status: 'success', call: { contract: 'Shop' } })
    })
  })

  test('lists failures, and explains one by its id, by the beginning of its hash, and the newest, after a revert', async () => {
    await withShop(hardhat2(plain), async ({ url, shop, token, buyer }) => {
      const provider = shop.runner!.provider as JsonRpcProvider
      const id: unknown = await provider.send('evm_snapshot', [])
      const { hash } = await failed(shop, 'buy', 30)
      for (const count of [40, 40]) await shop['buy']!.staticCall(count).catch(() => undefined)
      await provider.send('evm_revert', [id])
      const { stdout } = await run('--last', '3', '--url', url)
      const place = [
        `  at Token._move (contracts/Shop.sol:${lineOf('revert TooPoor')}:37)`,
        '     if (balances[from] < value) revert TooPoor(from, balances[from], value);',
      ]
      const time = /\d\d:\d\d:\d\d/g
      expect(
        stdout
          .replace(time, 'TIME')
          .replace(/\d+ gas/g, 'GAS')
          .split('\n'),
      ).toEqual([
        "reverted with custom error 'TooPoor(account 0, 1000, 4000)'",
        '  Shop.buy(count: 40)',
        ...place,
        `  call, GAS, TIME, and 1 like it before: npx dev-node explain 3 --url ${url}`,
        '',
        "reverted with custom error 'TooPoor(account 0, 1000, 3000)'",
        '  Shop.buy(count: 30)',
        ...place,
        `  transaction ${hash.slice(0, 10)}, GAS, TIME, removed by a revert at TIME: npx dev-node explain 1 --url ${url}`,
        '',
      ])
      const byHash = await run(hash, '--url', url)
      expect(byHash.stdout).toMatch(/^reverted .* gas, removed by a revert at \d{4}-\S+Z\n  at Token._move/)
      for (const subject of [hash.slice(0, 8), '1'])
        expect((await run(subject, '--url', url)).stdout).toBe(byHash.stdout)
      expect((await run('--last', '--url', url)).stdout).toContain('Shop.buy(count: 40)')
      expect(await run('77', '--url', url)).toMatchObject({
        code: 1,
        stdout: `the node at ${url} keeps no failure 77\n`,
      })
      expect(await token.getAddress()).not.toBe(buyer)
    })
  })

  test('lists calls without known arguments one by one, also with more addresses than names are asked for', async () => {
    const accounts = Array.from(
      { length: 1001 },
      (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`,
    )
    const reason = new Interface(['error Error(string)']).encodeErrorResult('Error', [accounts.join(' ')])
    const length = (reason.length / 2 - 1).toString(16).padStart(6, '0')
    // Copies what follows these 16 bytes, and reverts with it.
    const data = `0x62${length}601060003962${length}6000fd${reason.slice(2)}`
    await withServer({ network: 'ethereum' }, async (server) => {
      for (const id of [1, 2]) await ask(server, { body: rpc('eth_call', [{ data }], id) })
      const { stdout, code } = await run('--last', '10', '--url', server.url)
      expect(code).toBe(0)
      expect(stdout.match(/: npx dev-node explain \d/g)).toHaveLength(2)
    })
  })

  test('names the transactions that have the same beginning, and the URL may be in DEV_NODE_URL', async () => {
    await withServer({}, async (server) => {
      for (let count = 0; count < 40; count++)
        await ask(server, { body: rpc('eth_sendTransaction', [{ from: COW, to: COW }]) })
      const { io, written } = fakeProcess(['explain', '0x1'])
      expect(await main({ ...io, env: { DEV_NODE_URL: server.url } })).toBe(1)
      expect(written.stderr).toMatch(
        /^dev-node: several transactions begin with 0x1:\n {2}0x1\w{63}\n {2}0x1/,
      )
    })
  })

  test.each([
    ['4444', ['4444', '8545']],
    ['8545', ['8545']],
  ])('without --url asks a node on port %s', async (port, usual) => {
    await withServer({}, async (server) => {
      const fetch = withPorts(Object.fromEntries(usual.map((each) => [each, server.port])))
      const { code, stdout } = await run('--last').finally(() => fetch.mockRestore())
      expect([code, stdout]).toEqual([1, `the node at http://127.0.0.1:${port}/ keeps no failure\n`])
    })
  })

  test('without --url says that no node runs, and that those of test runs end with them', async () => {
    const fetch = withPorts({})
    const { code, stderr } = await run('--last').finally(() => fetch.mockRestore())
    expect([code, stderr]).toEqual([
      1,
      'dev-node: no node answers on port 4444 or 8545 of this machine: name it with --url; this folder keeps no failed test; nodes of test runs end with their run (see: npx dev-node help DN-NO-NODE)\n',
    ])
  })

  test('has the amounts of tokens in their unit, also if the call failed or its failure was caught', async () => {
    const folder = await writeProject(hardhat2(PAYING))
    await withServer({ network: 'ethereum', artifacts: [join(folder, 'artifacts')] }, async ({ url }) => {
      const provider = new JsonRpcProvider(url, undefined, {
        staticNetwork: true,
        cacheTimeout: -1,
        batchMaxCount: 1,
      })
      const signer = await provider.getSigner(0)
      const deploy = async (name: string, ...given: readonly unknown[]) => {
        const { abi, evm } = PAYING.output.contracts[PAYING_PATH]![name]!
        return new ContractFactory(abi as never, evm.bytecode.object, signer).deploy(...given)
      }
      const coin = await deploy('Coin', 12n * 10n ** 18n)
      const payer = await deploy('Payer', await coin.getAddress())
      const data = payer.interface.encodeFunctionData('payTwice', [12n * 10n ** 18n])
      const sent = await signer.sendTransaction({ to: await payer.getAddress(), data })
      const { stdout } = await run(sent.hash, '--url', url)
      const tooMuch = coin.interface.encodeFunctionData('transferFrom', [PAYER, PAYER, 3n * 10n ** 18n])
      const request = { from: signer.address, to: await coin.getAddress(), data: tooMuch, gas: '0x186a0' }
      const unpaid: string = await provider.send('eth_sendTransaction', [request])
      const { stdout: refused } = await run(unpaid, '--url', url)
      provider.destroy()
      expect(refused).toMatch(/^reverted with custom error 'InsufficientBalance\(\w+, 0, 3 MTK\)'/)
      expect(stdout).toContain('call Payer.payTwice(amount: 12 MTK)')
      expect(stdout).toContain(
        "reverted with custom error 'InsufficientBalance(account 0, 0, 12 MTK)' (caught)",
      )
    })
    await rm(folder, { recursive: true })
  })

  test('says how to get lines of Solidity, where no contract is known', async () => {
    await withServer({}, async (server) => {
      await ask(server, { body: rpc('eth_call', [{ data: '0x5f5ffd' }]) })
      const { stdout } = await run('--last', '--url', server.url)
      expect(stdout).toMatch(/\n {2}at 0x\w{40}\n {2}for lines of Solidity, compile in the folder/)
    })
  })

  test('says that the node does not know a transaction', async () => {
    await withShop(hardhat2(plain), async ({ url }) => {
      expect(await run(HASH, '--url', url)).toEqual({
        code: 1,
        stdout: `the node at ${url} has no mined transaction ${HASH}\n`,
        stderr: '',
      })
    })
  })

  test.each([
    [
      [],
      'explain: expected the hash of a transaction, its beginning, the id of a failure, or --last, got nothing',
    ],
    [
      ['0'],
      'explain: expected the hash of a transaction, its beginning, the id of a failure, or --last, got 0',
    ],
    [['--last', 'x'], '--last: expected a whole number, got "x"'],
    [[HASH, '--last'], `unexpected argument ${HASH}`],
    [['3', '--flame', 'a.svg'], '--flame: expected the hash of a transaction with it'],
    [[HASH, 'more'], 'unexpected argument more'],
    [[HASH, '--jsn'], 'explain has no flag --jsn; did you mean --json?'],
    [[HASH, '--url', 'localhost'], '--url: expected a URL such as http://127.0.0.1:4444/, got "localhost"'],
    [[HASH, '--url', 'http://127.0.0.1:1/'], 'no answer from http://127.0.0.1:1/: '],
  ])('refuses %j', async (argv, message) => {
    const { code, stderr } = await run(...argv)
    expect(code).toBe(1)
    expect(stderr).toContain(`dev-node: ${message}`)
  })
})
