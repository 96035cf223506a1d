import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from '@jest/globals'
import { BrowserProvider, parseEther } from 'ethers'
import { createPublicClient, createWalletClient, custom, encodeFunctionData } from 'viem'
import { Web3 } from 'web3'
import { createNode, createProvider } from '../../lib/index.ts'
import type { OptionsInput } from '../../lib/index.ts'
import { loadContracts } from '../support/contracts.ts'
import { COW, COW1 } from '../support/signing.ts'

const FROZEN: OptionsInput = { frozenTime: true }

describe('a provider in the process', () => {
  test('throws the error of the HTTP response in its dialect', async () => {
    await using node = await createNode(FROZEN)
    // Creation code that reverts without data.
    const ask = { method: 'eth_call', params: [{ data: '0x60006000fd' }] }
    await expect(node.provider.request(ask)).rejects.toMatchObject({ code: -32015, data: '0x' })
    const other = createProvider(node, { dialect: 'ethereum' })
    await expect(other.request(ask)).rejects.toMatchObject({ code: 3, data: '0x' })
    await expect(node.provider.request({ method: 'eth_nothing' })).rejects.toMatchObject({ code: -32601 })
    // @ts-expect-error -- a number that JSON does not have
    const noJson = node.provider.request({ method: 'eth_getBalance', params: [1n] })
    await expect(noJson).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('no JSON') })
  })

  test('has the one dialect of the reference node with the option faithful', async () => {
    await using node = await createNode({ ...FROZEN, faithful: true })
    for (const provider of [node.provider, createProvider(node, { dialect: 'ethereum' })]) {
      const ask = provider.request({ method: 'eth_call', params: [{ data: '0x60006000fd' }, 'latest'] })
      await expect(ask).rejects.toMatchObject({ code: -32015 })
      await expect(provider.request({ method: 'hardhat_mine' })).rejects.toThrow('method not found')
    }
  })

  test('serves ethers, viem and web3.js', async () => {
    await using node = await createNode(FROZEN)
    const signer = await new BrowserProvider(node.provider).getSigner(COW)
    const sent = await signer.sendTransaction({ to: COW1, value: parseEther('1'), gasLimit: 21_000 })
    expect(await sent.wait()).toMatchObject({ status: 1, blockNumber: 1 })

    const transport = custom(createProvider(node, { dialect: 'ethereum' }))
    const wallet = createWalletClient({ transport, account: COW })
    const hash = await wallet.sendTransaction({ to: COW1, value: 1n, gas: 21_000n, chain: null })
    const client = createPublicClient({ transport })
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ status: 'success', blockNumber: 2n })

    const web3 = new Web3(node.provider)
    expect(await web3.eth.getBlockNumber()).toBe(2n)
  })

  test('notifies subscribers until it is closed', async () => {
    const node = await createNode(FROZEN)
    const { provider } = node
    const heard: unknown[] = []
    provider.on('message', (message: unknown) => heard.push(message))
    const connected = new Promise((resolve) => provider.once('connect', resolve))
    const id = await provider.request({ method: 'eth_subscribe', params: ['newHeads'] })
    expect(await connected).toEqual({ chainId: '0x21' })
    await new Promise((resolve) => setImmediate(resolve))
    await provider.request({ method: 'evm_mine' })
    expect(heard).toEqual([
      {
        type: 'eth_subscription',
        data: { subscription: id, result: expect.objectContaining({ number: '0x1' }) },
      },
    ])
    const gone = new Promise((resolve) => provider.once('disconnect', resolve))
    await node.close()
    expect(await gone).toMatchObject({ code: 4900 })
    await expect(provider.request({ method: 'eth_chainId' })).rejects.toMatchObject({ code: 4900 })
  })

  test('refuses providers of a node that is closed', async () => {
    const node = await createNode(FROZEN)
    await node.close()
    for (const ask of [() => node.createProvider(), () => node.world('a')])
      expect(ask).toThrow(expect.objectContaining({ code: 4900, message: 'the node is closed' }))
  })

  test('frees its memory', async () => {
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const closed: WeakRef<object>[] = []
    for (let count = 0; count < 10; count++) {
      await using node = await createNode(FROZEN)
      await node.provider.request({ method: 'evm_mine' })
      closed.push(new WeakRef(node.provider))
    }
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    // The last one may still be in a register.
    expect(closed.filter((provider) => provider.deref() !== undefined).length).toBeLessThan(2)
  })
})

describe('a provider and its caller share no objects', () => {
  const latest = { method: 'eth_getBlockByNumber', params: ['latest', true] } as const

  test('params that change after the call', async () => {
    const logged: unknown[] = []
    await using node = await createNode(FROZEN, { onRequest: ({ params }) => logged.push(params) })
    const transaction = { from: COW, to: COW1, value: '0x1', gas: '0x5208', data: undefined }
    const params = [transaction]
    const method: string = 'eth_sendTransaction'
    const sent = node.provider.request({ method, params })
    transaction.value = '0x2'
    params.length = 0
    const hash = await sent
    const found: string = 'eth_getTransactionByHash'
    const mined = await node.provider.request({ method: found, params: [hash] })
    expect(mined).toMatchObject({ value: '0x1' })
    expect(logged[0]).toEqual([{ from: COW, to: COW1, value: '0x1', gas: '0x5208' }])
  })

  test('results, errors and messages that the caller changes', async () => {
    await using node = await createNode({ ...FROZEN, dialect: 'hardhat' })
    const { provider } = node
    const [other, spoilt]: [unknown[], unknown[]] = [[], []]
    const second = node.createProvider()
    second.on('message', (message: unknown) => other.push(structuredClone(message)))
    provider.on('message', (message) => {
      Object.assign(message.data.result as object, { number: 'mine' })
      spoilt.push(message)
    })
    for (const one of [provider, second]) {
      await one.request({ method: 'eth_subscribe', params: ['newHeads'] })
      await new Promise((resolve) => setImmediate(resolve))
    }
    const sends = [{ from: COW, to: COW1, value: '0x1', gas: '0x5208' }] as const
    const hash = await provider.request({ method: 'eth_sendTransaction', params: sends })
    expect(spoilt).toHaveLength(1)
    expect(other).toMatchObject([{ data: { result: { number: '0x1' } } }])
    const answers = [
      latest,
      { method: 'eth_getTransactionReceipt', params: [hash] },
      { method: 'eth_getLogs', params: [{}] },
      { method: 'rpc_modules' },
      { method: 'anvil_nodeInfo' },
    ] as const
    for (const ask of answers) {
      const [first, unspoilt] = [await provider.request(ask), await provider.request(ask)]
      if (Array.isArray(first)) first.length = 0
      spoil(first)
      expect(await provider.request(ask)).toEqual(unspoilt)
    }
  })

  test('values that JSON does not have', async () => {
    await using node = await createNode(FROZEN)
    const method: string = 'eth_getBalance'
    const ask = (...params: unknown[]) => node.provider.request({ method, params })
    const balance = '0xc9f2c9cd04674edea40000000'
    await expect(ask({ toJSON: () => COW }, undefined)).resolves.toBe(balance)
    await expect(ask(COW, { blockNumber: '0x0', requireCanonical: undefined })).resolves.toBe(balance)
    const circular: unknown[] = []
    circular.push(circular)
    await expect(ask(circular)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/circular/),
    })
    await expect(
      node.provider.request({ method: 'eth_chainId', params: 'none' as never }),
    ).rejects.toMatchObject({
      code: -32600,
    })
  })

  test('an answer above the limit', async () => {
    await using node = await createNode({ ...FROZEN, answerLimit: 1000 })
    await expect(node.provider.request(latest)).rejects.toMatchObject({
      message: 'response exceeds the limit of 1000 bytes',
    })
  })
})

/** Changes every member of a value. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    spoil(member)
    Object.assign(value, { [name]: 'spoilt' })
  }
}

describe('a world of a node in process', () => {
  const block = { method: 'eth_blockNumber' }

  test('begins with the head of the node, and is isolated', async () => {
    await using node = await createNode(FROZEN)
    await node.provider.request({ method: 'evm_mine' })
    const [world, again, other] = [node.world('a'), node.world('a'), node.world('b')]
    await world.request({ method: 'evm_mine' })
    const heights = [node.provider, world, again, other].map((provider) => provider.request(block))
    expect(await Promise.all(heights)).toEqual(['0x1', '0x2', '0x2', '0x1'])
  })

  test('disconnects when it is deleted, and with the node', async () => {
    await using node = await createNode(FROZEN)
    const ends: string[] = []
    for (const id of ['a', 'b']) node.world(id).once('disconnect', () => ends.push(id))
    await node.provider.request({ method: 'dev_deleteWorld', params: ['a'] })
    expect(ends).toEqual(['a'])
    await node.close()
    expect(ends).toEqual(['a', 'b'])
  })

  test('has a visitor until its provider is closed', async () => {
    await using node = await createNode(FROZEN)
    const world = node.world('a')
    const visitors = async () => {
      const worlds = await node.provider.request({ method: 'dev_worlds' })
      return worlds.map((one) => one.visitors)
    }
    expect(await visitors()).toEqual([1])
    world.close()
    expect(await visitors()).toEqual([0])
  })
})

describe('a world of another network in process', () => {
  test('has its rules and its dialect beside the node', async () => {
    await using node = await createNode(FROZEN)
    const world = await node.world('a', { network: 'ethereum', chainId: 10, hardfork: 'cancun' })
    const chainIds = [node.provider, world, node.world('a')].map((one) =>
      one.request({ method: 'eth_chainId' }),
    )
    expect(await Promise.all(chainIds)).toEqual(['0x21', '0xa', '0xa'])
    expect(await world.request({ method: 'evm_increaseTime', params: [7] })).toBe(7)
    expect(await node.provider.request({ method: 'dev_worlds' })).toMatchObject([
      { id: 'a', network: 'ethereum', hardfork: 'cancun', chainId: '0xa', visitors: 2 },
    ])
  })

  test('is refused as by dev_createWorld', async () => {
    await using node = await createNode(FROZEN)
    node.world('a')
    await expect(node.world('a', { network: 'ethereum' })).rejects.toThrow('there is a world a already')
    await expect(node.world('b', { network: 'etherum' })).rejects.toThrow('did you mean ethereum?')
    await node.close()
    await expect(node.world('c', { network: 'ethereum' })).rejects.toThrow('the provider is closed')
  })
})

describe('the listeners of a node', () => {
  test('receive the console output of contracts', async () => {
    const told: string[] = []
    await using node = await createNode(FROZEN, { onConsole: (text) => told.push(text) })
    const { abi, bytecode } = (await loadContracts()).Talker
    const deploy = { from: COW, data: bytecode, gas: '0x2dc6c0' }
    const hash = await node.provider.request({ method: 'eth_sendTransaction', params: [deploy] })
    const receipt = await node.provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    const to = receipt!.contractAddress!
    const ask = { to, data: encodeFunctionData({ abi, functionName: 'get' }) }
    for (const provider of [node.provider, createProvider(node), node.world('a')])
      await provider.request({ method: 'eth_call', params: [ask] })
    const text = (where: string) => `console.log of call to ${to}${where}\n  value is 0.`
    const born = `console.log of transaction ${hash}\n  born 1`
    expect(told).toEqual([born, text(''), text(''), text(' in world a')])
  })

  test('that read console output only are called for nothing else', async () => {
    const told: string[] = []
    const isQuiet = { value: true }
    await using node = await createNode(FROZEN, {
      onRequest: ({ method }) => told.push(method),
      readsConsoleOnly: () => isQuiet.value,
    })
    const { bytecode } = (await loadContracts()).Talker
    const send = { from: COW, data: bytecode, gas: '0x2dc6c0' }
    await node.provider.request({ method: 'eth_chainId' })
    await node.provider.request({ method: 'eth_sendTransaction', params: [send] })
    isQuiet.value = false
    await node.provider.request({ method: 'eth_accounts' })
    expect(told).toEqual(['eth_sendTransaction', 'eth_accounts'])
  })

  test('are called beside those of a provider', async () => {
    const [byNode, byProvider]: [string[], string[]] = [[], []]
    await using node = await createNode(FROZEN, { onRequest: ({ method }) => byNode.push(method) })
    const provider = createProvider(node, { onRequest: ({ method }) => byProvider.push(method) })
    await provider.request({ method: 'eth_chainId' })
    await node.provider.request({ method: 'eth_accounts' })
    expect([byNode, byProvider]).toEqual([['eth_chainId', 'eth_accounts'], ['eth_chainId']])
  })
})
