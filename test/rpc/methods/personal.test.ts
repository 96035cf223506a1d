/** Accounts, keys, locks, signatures with passphrases, and accounts that send without a key. */

import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { Wallet } from 'ethers'
import { DIALECTS } from '../../../lib/config/dialect.ts'
import type { Node } from '../../../lib/node/node.ts'
import { allMethods } from '../../../scripts/all-methods.ts'
import { call, dispatcherOf, freshNode, refusal } from '../../support/node.ts'
import { rpc } from '../../support/server.ts'
import { COW, COW1 } from '../../support/signing.ts'
import { KEY, ACCOUNT, ABSENT, withLocked, transfer } from '../../support/locked-account.ts'

const MINUTE_MS = 60_000
const send = (node: Node) => call(node, 'eth_sendTransaction', [transfer])

describe('a new account', () => {
  test('is listed after the accounts of the network, and can send', async () => {
    const node = await freshNode()
    const before: string[] = await call(node, 'eth_accounts')
    const account = await call(node, 'personal_newAccount', ['secret'])
    const seeded = await call(node, 'personal_newAccountWithSeed', ['a seed'])
    expect(await call(node, 'eth_accounts')).toEqual([...before, account, seeded])
    expect(await call(node, 'personal_listAccounts')).toEqual([...before, account, seeded])
    await call(node, 'eth_sendTransaction', [{ from: COW, to: account, value: '0x1' }])
    await call(node, 'eth_sendTransaction', [{ from: account, to: COW1 }])
    expect(await call(node, 'eth_getTransactionCount', [account])).toBe('0x1')
  })

  test('of a seed is the account of the reference node (node-rpc 5.12)', async () => {
    const node = await freshNode()
    const seeded = await call(node, 'personal_newAccountWithSeed', ['cow'])
    expect(seeded).toBe(COW)
    expect(await call(node, 'eth_accounts')).toHaveLength(10)
  })

  test('is imported with and without prefix, and its key is dumped', async () => {
    const node = await freshNode()
    expect(await call(node, 'personal_importRawKey', [KEY.slice(2), ''])).toBe(ACCOUNT)
    expect(await call(node, 'personal_dumpRawKey', [ACCOUNT])).toBe(KEY)
  })

  test.each([
    ['zero', `0x${'00'.repeat(32)}`],
    ['the order of the curve', '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'],
    ['too short', '0x12'],
    ['an odd number of digits', `${KEY}1`],
  ])('is not imported from a key that is %s', async (_name, key) => {
    const { kind, message } = await refusal(await freshNode(), 'personal_importRawKey', [key, 'secret'])
    expect(kind).toBe('invalidParams')
    expect(message).toMatch(/^params\[0\] \(key\): expected a private key/)
  })
})

describe('a locked account', () => {
  test('is listed, and signs nothing', async () => {
    const { node } = await withLocked()
    expect(await call(node, 'eth_accounts')).toContain(ACCOUNT)
    const typed = { types: { M: [] }, primaryType: 'M', domain: {}, message: {} }
    for (const [method, params] of [
      ['eth_sendTransaction', [transfer]],
      ['eth_signTransaction', [transfer]],
      ['eth_sign', [ACCOUNT, '0x01']],
      ['eth_signTypedData_v4', [ACCOUNT, typed]],
      ['personal_sign', ['0x01', ACCOUNT]],
      ['personal_dumpRawKey', [ACCOUNT]],
    ] as const) {
      const { kind, message } = await refusal(node, method, params)
      expect({ method, kind }).toEqual({ method, kind: 'lockedAccount' })
      expect(message).toMatch(/^authentication needed: password or unlock: .*personal_unlockAccount/)
    }
  })

  test.each([
    ['personal_sendTransaction', [transfer, 'wrong']],
    ['personal_signTransaction', [transfer, 'wrong']],
    ['personal_unlockAccount', [ACCOUNT, 'wrong']],
    ['personal_sign', ['0x01', ACCOUNT, 'wrong']],
  ])('is not unlocked by %s with a wrong passphrase', async (method, params) => {
    const { node } = await withLocked()
    const { kind, message } = await refusal(node, method, params)
    expect(kind).toBe('wrongPassphrase')
    expect(message).toBe(`could not decrypt key with given passphrase: not that of ${ACCOUNT}`)
  })
})

describe('unlocking', () => {
  test.each([
    ['a number of seconds', 60, MINUTE_MS],
    ['hex milliseconds', '0xea60', MINUTE_MS],
    ['nothing', undefined, 30 * MINUTE_MS],
    ['null', null, 30 * MINUTE_MS],
    ['an empty text', '', 30 * MINUTE_MS],
  ])('lasts the time of %s', async (_name, duration, lastsMs) => {
    const { node, host } = await withLocked()
    expect(await call(node, 'personal_unlockAccount', [ACCOUNT, 'secret', duration])).toBe(true)
    host.step(lastsMs - 1)
    await send(node)
    host.step(1)
    expect((await refusal(node, 'eth_sendTransaction', [transfer])).kind).toBe('lockedAccount')
  })

  test('lasts without end for 0 seconds, and no time for 0x0 milliseconds', async () => {
    const { node, host } = await withLocked()
    await call(node, 'personal_unlockAccount', [ACCOUNT, 'secret', '0x0'])
    expect((await refusal(node, 'eth_sendTransaction', [transfer])).kind).toBe('lockedAccount')
    await call(node, 'personal_unlockAccount', [ACCOUNT, 'secret', 0])
    host.step(1e13)
    await send(node)
  })

  test("follows the wall clock, not the chain's clock", async () => {
    const { node } = await withLocked()
    await call(node, 'personal_unlockAccount', [ACCOUNT, 'secret', 1])
    await call(node, 'evm_increaseTime', [3600])
    await call(node, 'evm_mine')
    await send(node)
  })

  test.each([1.5, -1, 2 ** 53, '60', '0x', '0xffffffffffffff', true, {}])('refuses %j', async (duration) => {
    const { node } = await withLocked()
    const { kind, message } = await refusal(node, 'personal_unlockAccount', [ACCOUNT, 'secret', duration])
    expect(kind).toBe('invalidParams')
    expect(message).toMatch(/^params\[2\] \(duration\): expected a number of seconds/)
  })

  test('returns false for an account without a passphrase, which locking removes', async () => {
    const node = await freshNode()
    expect(await call(node, 'personal_unlockAccount', [COW, ''])).toBe(false)
    expect(await call(node, 'personal_lockAccount', [COW])).toBe(true)
    expect(await call(node, 'personal_lockAccount', [COW])).toBe(false)
    expect((await refusal(node, 'eth_sign', [COW, '0x'])).kind).toBe('lockedAccount')
    await call(node, 'personal_newAccountWithSeed', ['cow'])
    expect(await call(node, 'eth_sign', [COW, '0x'])).toMatch(/^0x/)
  })
})

test.each([
  ['personal_unlockAccount', [ABSENT, '']],
  ['personal_lockAccount', [ABSENT]],
  ['personal_dumpRawKey', [ABSENT]],
  ['personal_sendTransaction', [{ from: ABSENT, to: COW }, '']],
  ['personal_sign', ['0x01', ABSENT]],
])('%s refuses an unknown account', async (method, params) => {
  const { kind, message } = await refusal(await freshNode(), method, params)
  expect(kind).toBe('unknownAccount')
  expect(message).toContain(ABSENT)
})

describe('a revert', () => {
  test('restores locks and removes new accounts and their transactions', async () => {
    const { node } = await withLocked()
    const id = await call(node, 'evm_snapshot')
    const accounts = await call(node, 'eth_accounts')
    const made = await call(node, 'personal_newAccount', ['other'])
    await call(node, 'personal_newAccountWithSeed', ['a seed'])
    await call(node, 'personal_unlockAccount', [ACCOUNT, 'secret', 0])
    await call(node, 'personal_lockAccount', [COW])
    await send(node)
    await call(node, 'evm_revert', [id])
    expect(await call(node, 'eth_accounts')).toEqual(accounts)
    expect(await call(node, 'eth_getTransactionCount', [ACCOUNT])).toBe('0x0')
    expect((await refusal(node, 'eth_sign', [ACCOUNT, '0x'])).kind).toBe('lockedAccount')
    expect((await refusal(node, 'eth_sign', [made, '0x'])).kind).toBe('unknownAccount')
    expect(await call(node, 'eth_sign', [COW, '0x'])).toMatch(/^0x/)
  })

  test('keeps the files of a folder and their accounts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keys-'))
    try {
      const node = await freshNode({ keystore: folder })
      const id = await call(node, 'evm_snapshot')
      const made = await call(node, 'personal_newAccount', ['other'])
      await call(node, 'evm_revert', [id])
      expect(await filesIn(folder)).toHaveLength(1)
      expect(await call(node, 'eth_accounts')).toContain(made)
      expect((await refusal(node, 'eth_sign', [made, '0x'])).kind).toBe('lockedAccount')
      await call(node, 'evm_reset')
      expect(await call(node, 'personal_unlockAccount', [made, 'other', 1])).toBe(true)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('a node without keys', () => {
  const codes = { node33: -32604, hardhat: -32004, ethereum: -32004 }
  const methods = allMethods.methods
    .filter(({ name }) => name.startsWith('personal_') && name !== 'personal_ecRecover')
    .flatMap((method) =>
      DIALECTS.map((dialect) => ({ name: method.name, dialect, params: method.example.params })),
    )

  test.each(methods)('refuses $name with the same error in $dialect', async ({ name, params, dialect }) => {
    const node = await freshNode({ holdsKeys: false })
    const answer = await dispatcherOf(node).answer(rpc(name, params), dialect)
    expect(JSON.parse(answer!).error).toEqual({
      code: codes[dialect],
      message: 'The local wallet feature is disabled (--no-accounts)',
    })
  })

  test.each([
    ['eth_sign', [COW, '0x']],
    ['eth_sendTransaction', [{ from: COW }]],
    ['eth_signTransaction', [{ from: COW }]],
  ])('refuses %s like the reference node', async (method, params) => {
    const node = await freshNode({ holdsKeys: false })
    const answer = await dispatcherOf(node).answer(rpc(method, params), 'node33')
    expect(JSON.parse(answer!).error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^Local wallet is disabled in this node/),
    })
  })

  test('lists no accounts, and recovers signers', async () => {
    const node = await freshNode({ holdsKeys: false })
    expect(await call(node, 'eth_accounts')).toEqual([])
    const signature = await new Wallet(KEY).signMessage('hello')
    const message = `0x${Buffer.from('hello').toString('hex')}`
    expect(await call(node, 'personal_ecRecover', [message, signature])).toBe(ACCOUNT)
  })
})

/** The keystore files of a folder: the claim of a node is a hidden file. */
const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => !name.startsWith('.'))

describe('--keystore', () => {
  /** An account that a node made before it ended. */
  async function madeIn(options: { keystore: string }): Promise<string> {
    const node = await freshNode(options)
    const made = await call(node, 'personal_newAccount', ['secret'])
    await node.close()
    return made
  }

  async function inFolder(run: (home: string) => Promise<void>): Promise<void> {
    const home = await mkdtemp(join(tmpdir(), 'dev-node-keystore-'))
    try {
      await run(home)
    } finally {
      await rm(home, { recursive: true })
    }
  }

  test('keeps accounts for the next node', () =>
    inFolder(async (home) => {
      const options = { keystore: join(home, 'keys') }
      const made = await madeIn(options)
      const node = await freshNode(options)
      expect((await call(node, 'eth_accounts')).at(-1)).toBe(made)
      expect((await refusal(node, 'eth_sign', [made, '0x'])).kind).toBe('lockedAccount')
      expect(await call(node, 'personal_unlockAccount', [made, 'secret'])).toBe(true)
      expect(await call(node, 'eth_sign', [made, '0x'])).toMatch(/^0x/)
    }))

  test('writes files that ethers opens, and opens files of ethers', () =>
    inFolder(async (keystore) => {
      const made = await madeIn({ keystore })
      const [name] = await filesIn(keystore)
      const wallet = await Wallet.fromEncryptedJson(await readFile(join(keystore, name!), 'utf8'), 'secret')
      expect(wallet.address.toLowerCase()).toBe(made)
      await writeFile(join(keystore, 'theirs.json'), await new Wallet(KEY).encrypt('other'))
      const node = await freshNode({ keystore })
      expect(await call(node, 'personal_unlockAccount', [ACCOUNT, 'other'])).toBe(true)
      expect(await call(node, 'personal_dumpRawKey', [ACCOUNT])).toBe(KEY)
    }))

  test('with standard cost takes the scrypt parameters of wallets', () =>
    inFolder(async (keystore) => {
      const node = await freshNode({ keystore, keystoreScrypt: 'standard' })
      await call(node, 'personal_newAccount', ['secret'])
      const [name] = await filesIn(keystore)
      const file = JSON.parse(await readFile(join(keystore, name!), 'utf8'))
      expect(file.crypto.kdfparams).toMatchObject({ n: 262_144, r: 8, p: 1 })
    }))

  test('refuses to start on an invalid file and names it', () =>
    inFolder(async (keystore) => {
      await writeFile(join(keystore, 'notes.txt'), 'my password is')
      await expect(freshNode({ keystore })).rejects.toMatchObject({
        kind: 'invalidOption',
        message: `${join(keystore, 'notes.txt')} is not a keystore file: expected a JSON object`,
      })
    }))
})

describe('accounts without a key, as in Ganache', () => {
  const BRIDGE = '0x0000000000000000000000000000000001000006'
  const transfer = { from: BRIDGE, to: COW, value: '0x1', gas: '0x5208' }
  const sent = (node: Node) => call(node, 'eth_sendTransaction', [transfer])

  test('send only while they are unlocked', async () => {
    const node = await freshNode()
    expect(await call(node, 'evm_addAccount', [BRIDGE, 'secret'])).toBe(true)
    expect(await call(node, 'evm_addAccount', [BRIDGE, 'secret'])).toBe(false)
    expect(await call(node, 'eth_accounts')).toContain(BRIDGE)
    expect((await refusal(node, 'eth_sendTransaction', [transfer])).kind).toBe('lockedAccount')
    expect((await refusal(node, 'personal_unlockAccount', [BRIDGE, 'other'])).kind).toBe('wrongPassphrase')
    expect(await call(node, 'personal_unlockAccount', [BRIDGE, 'secret'])).toBe(true)
    const hash = await sent(node)
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
      from: BRIDGE,
      status: '0x1',
    })
    expect(await call(node, 'personal_lockAccount', [BRIDGE])).toBe(true)
    expect((await refusal(node, 'eth_sendTransaction', [transfer])).kind).toBe('lockedAccount')
    expect(await call(node, 'personal_sendTransaction', [transfer, 'secret'])).toMatch(/^0x/)
  })

  test('sign nothing, unlocked or not', async () => {
    const node = await freshNode()
    await call(node, 'evm_addAccount', [BRIDGE, 'secret'])
    await call(node, 'personal_unlockAccount', [BRIDGE, 'secret'])
    for (const [method, params] of [
      ['eth_sign', [BRIDGE, '0x01']],
      ['personal_sign', ['0x01', BRIDGE, 'secret']],
      ['personal_dumpRawKey', [BRIDGE]],
      ['eth_signTransaction', [{ from: BRIDGE, to: BRIDGE }]],
      ['personal_signTransaction', [{ from: BRIDGE, to: BRIDGE }, 'secret']],
    ] as const) {
      expect(await refusal(node, method, params)).toEqual({
        kind: 'unknownAccount',
        message: `account ${BRIDGE} has no key: it can send, and cannot sign`,
      })
    }
  })

  test('are removed with their passphrase, like accounts with a key', async () => {
    const node = await freshNode()
    const { address: funded } = node.funded[0]!
    await call(node, 'evm_addAccount', [BRIDGE, 'secret'])
    expect((await refusal(node, 'evm_removeAccount', [BRIDGE, 'other'])).kind).toBe('wrongPassphrase')
    expect(await call(node, 'evm_removeAccount', [BRIDGE, 'secret'])).toBe(true)
    expect(await call(node, 'evm_removeAccount', [BRIDGE, 'secret'])).toBe(false)
    expect((await refusal(node, 'eth_sendTransaction', [transfer])).kind).toBe('unknownAccount')
    expect((await refusal(node, 'evm_removeAccount', [funded, 'secret'])).kind).toBe('wrongPassphrase')
    expect(await call(node, 'evm_removeAccount', [funded, ''])).toBe(true)
    expect(await call(node, 'eth_accounts')).not.toContain(funded)
    // Its key is forgotten, and the account can come back without one.
    expect(await call(node, 'evm_addAccount', [funded, ''])).toBe(true)
  })

  test('are locked after a dump and a load', async () => {
    const node = await freshNode()
    await call(node, 'evm_addAccount', [BRIDGE, 'secret'])
    const state = await call(node, 'dev_dumpState', [{ keystore: true }])
    const other = await freshNode()
    await call(other, 'dev_loadState', [state])
    expect((await refusal(other, 'eth_sendTransaction', [transfer])).kind).toBe('lockedAccount')
    await call(other, 'personal_unlockAccount', [BRIDGE, 'secret'])
    expect(await sent(other)).toMatch(/^0x/)
  })
})

const STRANGER = `0x${'77'.repeat(20)}`

describe('impersonated accounts', () => {
  const BRIDGE = '0x0000000000000000000000000000000001000006'
  const transfer = (from: string, value: string) => ({ from, to: COW1, value, gas: '0x5208' })

  test('are all accounts with the option, also in worlds and after a reset', async () => {
    const node = await freshNode({ autoImpersonate: true })
    const world = node.worlds.create('a').chain
    for (const chain of [node, world]) {
      const send = () => call(chain, 'eth_sendTransaction', [transfer(STRANGER, '0x1')])
      await call(chain, 'anvil_autoImpersonateAccount', [false])
      await call(chain, 'evm_reset')
      await call(chain, 'hardhat_setBalance', [STRANGER, '0xde0b6b3a7640000'])
      const receipt = await call(chain, 'eth_getTransactionReceipt', [await send()])
      expect(receipt).toMatchObject({ from: STRANGER, status: '0x1' })
      await call(chain, 'anvil_autoImpersonateAccount', [false])
      await expect(send()).rejects.toThrow('unknown account')
    }
  })

  test.each(['network-33', 'ethereum'])('send without a key on %s, also contracts', async (network) => {
    const node = await freshNode({ network })
    const contract = network === 'ethereum' ? STRANGER : BRIDGE
    await call(node, 'hardhat_setBalance', [contract, '0xde0b6b3a7640000'])
    if (network === 'ethereum') await call(node, 'hardhat_setCode', [contract, '0x00'])
    await expect(call(node, 'eth_sendTransaction', [transfer(contract, '0x1')])).rejects.toThrow(
      'unknown account',
    )
    const id = await call(node, 'evm_snapshot')
    await call(node, 'hardhat_impersonateAccount', [contract])
    const hash = await call(node, 'eth_sendTransaction', [transfer(contract, '0x1')])
    expect(await call(node, 'eth_getTransactionReceipt', [hash])).toMatchObject({
      status: '0x1',
      from: contract,
    })
    expect(await call(node, 'eth_getTransactionByHash', [hash])).toMatchObject({
      from: contract,
      nonce: '0x0',
    })
    expect(await call(node, 'debug_traceTransaction', [hash, { tracer: 'callTracer' }])).toMatchObject({
      from: contract,
    })
    expect(await call(node, 'hardhat_stopImpersonatingAccount', [contract])).toBe(true)
    await expect(call(node, 'eth_sendTransaction', [transfer(contract, '0x2')])).rejects.toThrow(
      'unknown account',
    )
    await call(node, 'anvil_autoImpersonateAccount', [true])
    await call(node, 'eth_sendTransaction', [transfer(contract, '0x2')])
    await call(node, 'evm_revert', [id])
    await expect(call(node, 'eth_sendTransaction', [transfer(contract, '0x1')])).rejects.toThrow(
      'unknown account',
    )
    const unsigned = await call(node, 'eth_sendUnsignedTransaction', [transfer(contract, '0x3')])
    expect(await call(node, 'eth_getTransactionReceipt', [unsigned])).toMatchObject({ status: '0x1' })
  })

  test.each(['network-33', 'ethereum'])(
    'are recovered from impersonated signatures on %s until a revert',
    async (network) => {
      const node = await freshNode({ network })
      const [hash, v, r, s] = ['ab'.repeat(32), `${'00'.repeat(31)}1c`, '11'.repeat(32), '22'.repeat(32)]
      const recovered = (block = 'latest') =>
        call(node, 'eth_call', [
          { to: `0x${'0'.repeat(39)}1`, data: `0x${hash}${v}${r}${s}`, gas: '0x7530' },
          block,
        ])
      const before = await recovered()
      const id = await call(node, 'evm_snapshot')
      await call(node, 'evm_mine')
      await call(node, 'anvil_impersonateSignature', [`0x${r}${s}1c`, STRANGER])
      const told = `0x${'00'.repeat(12)}${STRANGER.slice(2)}`
      expect(await recovered()).toBe(told)
      // Called in a block, where empty accounts are cleared.
      await call(node, 'eth_sendTransaction', [
        { from: (await call(node, 'eth_accounts'))[0], to: `0x${'0'.repeat(39)}1`, gas: '0x7530' },
      ])
      expect([await recovered(), await recovered('earliest')]).toEqual([told, before])
      await call(node, 'evm_revert', [id])
      expect(await recovered()).toBe(before)
    },
  )

  test('are refused for an invalid signature', async () => {
    const node = await freshNode()
    await expect(call(node, 'anvil_impersonateSignature', [`0x${'11'.repeat(64)}1b`])).rejects.toThrow(
      'params[1] (address): expected a 20-byte address',
    )
    for (const signature of ['0x', `0x${'11'.repeat(64)}`, `0x${'11'.repeat(64)}01`]) {
      await expect(call(node, 'anvil_impersonateSignature', [signature, STRANGER])).rejects.toThrow(
        'params[0] (signature): expected a signature of 65 bytes',
      )
    }
  })
})
