/** Hardhat's matchers over HTTP: expectations about reverts hold with explained errors. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'
import { hardhat2 } from '../support/artifact-projects.ts'
import { PATH, plain, withShop } from '../support/shop.ts'

/** Each line of its output is an expectation that does not hold. */
const SCRIPT = `
const { ethers } = require('hardhat')
const { expect, use } = require('chai')
use(require('chai-as-promised'))
const { readFileSync } = require('fs')
async function main() {
  const { shopAt, tokenAt, shop: shopAbi, token: tokenAbi } = JSON.parse(readFileSync('shop.json', 'utf8'))
  const [signer] = await ethers.getSigners()
  const shop = new ethers.Contract(shopAt, shopAbi, signer)
  const token = new ethers.Contract(tokenAt, tokenAbi, signer)
  const gasLimit = 500_000
  await expect(shop.buy(30, { gasLimit })).to.be.revertedWithCustomError(token, 'TooPoor').withArgs(signer.address, 1000, 3000)
  await expect(shop.buy.staticCall(30)).to.be.revertedWithCustomError(token, 'TooPoor')
  await expect(shop.buy(2n ** 255n, { gasLimit })).to.be.revertedWithPanic(0x11)
  await expect(signer.sendTransaction({ to: shopAt, data: '0x12345678', gasLimit })).to.be.revertedWithoutReason()
  const unknown = "function selector was not recognized and there's no fallback function"
  await expect(signer.sendTransaction({ to: shopAt, data: '0x12345678', gasLimit })).to.be.rejectedWith(unknown)
  await expect(ethers.provider.call({ to: shopAt, data: '0x12345678' })).to.be.rejectedWith(unknown)
  const paid = 'non-payable function was called with value 1'
  const data = shop.interface.encodeFunctionData('buy', [1])
  await expect(signer.sendTransaction({ to: shopAt, data, value: 1, gasLimit })).to.be.rejectedWith(paid)
  await shop.buy(3, { gasLimit })
  await expect(shop.buy(1, { gasLimit })).to.be.revertedWith('sold out')
  await expect(shop.buy(1, { gasLimit })).to.be.rejectedWith("reverted with reason string 'sold out'")
  await expect(shop.buy(1, { gasLimit })).not.to.be.revertedWithoutReason()
}
main().catch((error) => { console.error(error); process.exitCode = 1 })
`

test('expectations about reverts hold', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dev-node-hardhat-'))
  const modules = join(import.meta.dirname, '..', '..', 'node_modules')
  try {
    await symlink(modules, join(folder, 'node_modules'), 'junction')
    await withShop(
      hardhat2(plain),
      async ({ url, shop, token }) => {
        const config = { solidity: '0.8.28', networks: { node: { url } } }
        const plugin = "require('@nomicfoundation/hardhat-chai-matchers')"
        await writeFile(
          join(folder, 'hardhat.config.cjs'),
          `${plugin}; module.exports = ${JSON.stringify(config)}`,
        )
        await writeFile(join(folder, 'script.cjs'), SCRIPT)
        const abis = plain.output.contracts[PATH]!
        const at = { shopAt: await shop.getAddress(), tokenAt: await token.getAddress() }
        const scene = { ...at, shop: abis['Shop']!.abi, token: abis['Token']!.abi }
        await writeFile(join(folder, 'shop.json'), JSON.stringify(scene))
        const own = { HARDHAT_NETWORK: 'node', HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true', CI: 'true' }
        const env = { PATH: process.env['PATH'], HOME: folder, ...own }
        const child = spawn(process.execPath, ['script.cjs'], {
          cwd: folder,
          env,
          stdio: ['ignore', 'ignore', 'pipe'],
        })
        const [failures, [status]] = await Promise.all([text(child.stderr), once(child, 'close')])
        expect({ status, failures }).toEqual({ status: 0, failures: '' })
      },
      { dialect: 'hardhat' },
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
