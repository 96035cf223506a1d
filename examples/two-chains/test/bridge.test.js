import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { ContractFactory, JsonRpcProvider, parseEther } from 'ethers'
import { Relayer } from '../relayer.js'

const { contracts } = JSON.parse(readFileSync('artifacts/contracts.json', 'utf8')).output

const url = process.env.DEV_NODE_URL

// One node has both chains. Accounts have the same keys on both.
const home = connect('/')
const { path } = await home.send('dev_createWorld', [{ id: 'side', network: 'network-33' }])
const side = connect(path)

/** ethers would keep answers for a quarter of a second. */
function connect(path) {
  return new JsonRpcProvider(new URL(path, url).href, undefined, { cacheTimeout: -1 })
}

async function deploy(name, provider) {
  const { abi, evm } = contracts[`contracts/${name}.sol`][name]
  const contract = await new ContractFactory(abi, evm.bytecode.object, await provider.getSigner(0)).deploy()
  return contract.waitForDeployment()
}

describe('a bridge', () => {
  let locker, minted, relayer, user, snapshots

  before(async () => {
    locker = await deploy('Locker', home)
    minted = await deploy('Minted', side)
    user = { home: await home.getSigner(1), side: await side.getSigner(1) }
  })

  beforeEach(async () => {
    relayer = new Relayer(locker, minted)
    snapshots = [await home.send('evm_snapshot', []), await side.send('evm_snapshot', [])]
  })

  afterEach(async () => {
    await home.send('evm_revert', [snapshots[0]])
    await side.send('evm_revert', [snapshots[1]])
  })

  after(() => {
    home.destroy()
    side.destroy()
  })

  test('the chains are of different networks', async () => {
    const ids = await Promise.all([home, side].map((chain) => chain.send('eth_chainId', [])))
    assert.deepEqual(ids.map(Number), [31337, 33])
  })

  test('coins are minted where they go', async () => {
    await locker.connect(user.home).lock({ value: parseEther('5') })
    await relayer.relay()
    assert.equal(await minted.balanceOf(user.side), parseEther('5'))
  })

  test('coins come back a day after they were burned', async () => {
    await locker.connect(user.home).lock({ value: parseEther('5') })
    await relayer.relay()
    await minted.connect(user.side).burn(parseEther('2'))
    await relayer.relay()
    await assert.rejects(locker.release(1), /too early/)
    await home.send('dev_advanceAll', [86_400, { mine: true }]) // on both chains
    await locker.release(1)
    assert.equal(await home.getBalance(locker), parseEther('3'))
  })
})
