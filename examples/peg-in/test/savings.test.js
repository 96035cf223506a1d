import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, afterEach, before, describe, test } from 'node:test'
import { ContractFactory, JsonRpcProvider, Wallet, parseEther, toQuantity } from 'ethers'

const { contracts } = JSON.parse(readFileSync('artifacts/contracts.json', 'utf8')).output
const { abi, evm } = contracts['contracts/Savings.sol'].Savings

const COINS = toQuantity(parseEther('2'))

// ethers would keep answers for a quarter of a second.
const provider = new JsonRpcProvider(process.env.DEV_NODE_URL, undefined, { cacheTimeout: -1 })

describe('savings on network 33', () => {
  let saver, savings, beginning

  before(async () => {
    saver = await provider.getSigner(1)
    savings = await new ContractFactory(abi, evm.bytecode.object, saver).deploy()
    await savings.waitForDeployment()
    beginning = await provider.send('evm_snapshot', [])
  })

  afterEach(() => provider.send('evm_revert', [beginning]))

  after(() => provider.destroy())

  test('coins come from the auxiliary chain', async () => {
    const to = Wallet.createRandom().address
    const { txid } = await provider.send('dev_pegIn', [{ to, amount: COINS }])
    assert.equal(await provider.getBalance(to), parseEther('2'))
    const { confirmations } = await provider.send('dev_auxTransaction', [txid])
    assert.equal(Number(confirmations), 3)
  })

  test('coins are locked for ten blocks of the auxiliary chain', async () => {
    await provider.send('dev_pegIn', [{ to: saver.address, amount: COINS }])
    await savings.deposit({ value: COINS })
    await provider.send('dev_auxMine', [9])
    await assert.rejects(savings.withdraw.staticCall(), ({ revert }) => revert.name === 'Locked')
    await provider.send('dev_auxMine', [1])
    await savings.withdraw()
    assert.equal(await provider.getBalance(savings), 0n)
  })

  test('a revert covers the auxiliary chain', async () => {
    const height = await savings.auxHeight()
    const snapshot = await provider.send('evm_snapshot', [])
    const { txid } = await provider.send('dev_pegIn', [{ to: saver.address, amount: COINS }])
    assert.equal(await savings.auxHeight(), height + 3n)
    await provider.send('evm_revert', [snapshot])
    assert.equal(await savings.auxHeight(), height)
    assert.equal(await provider.send('dev_auxTransaction', [txid]), null)
  })

  test('coins go out again', async () => {
    await provider.send('dev_pegIn', [{ to: saver.address, amount: COINS }])
    const { txid } = await provider.send('dev_pegOut', [{ from: saver.address, amount: COINS }])
    assert.notEqual(await provider.send('dev_auxTransaction', [txid]), null)
  })
})
