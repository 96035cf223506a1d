/** Texts that contracts choose are shown as texts: markup, control characters, sizes. */

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { Contract, ContractFactory, JsonRpcProvider } from 'ethers'
import type { InterfaceAbi } from 'ethers'
import { compileProject, standardJson, writeProject } from '../support/artifact-projects.ts'
import { browserPath, withPage } from './support/browser.ts'
import { withServer } from '../support/server.ts'

const SOURCE = readFileSync(join(import.meta.dirname, '../../fixtures/explorer/Hostile.sol'), 'utf8')
const compiled = compileProject({ 'contracts/Hostile.sol': SOURCE })

/** A hostile contract on a chain whose node knows its artifacts; the result is the hash of a transaction. */
async function withHostile(
  send: (hostile: Contract) => Promise<unknown>,
  run: (scene: { readonly url: string; readonly address: string; readonly hash: string }) => Promise<void>,
): Promise<void> {
  const folder = await writeProject(standardJson(compiled))
  await withServer({ network: 'ethereum', artifacts: [folder] }, async ({ url }) => {
    const provider = new JsonRpcProvider(url, undefined, {
      cacheTimeout: -1,
      staticNetwork: true,
      batchMaxCount: 1,
    })
    const { abi, evm } = compiled.output.contracts['contracts/Hostile.sol']!['Hostile']!
    const factory = new ContractFactory(abi as InterfaceAbi, evm.bytecode.object, await provider.getSigner(0))
    const deployed = await factory.deploy()
    const address = await deployed.getAddress()
    await send(new Contract(address, abi as InterfaceAbi, deployed.runner)).catch(() => undefined)
    const block = await provider.getBlock('latest')
    await run({ url, address, hash: block!.transactions[0]! })
    provider.destroy()
  })
  await rm(folder, { recursive: true })
}

const MARKUP = '<img src=x onerror="document.title=1">\u202Etxt'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

describeInBrowser('the explorer shows as text', () => {
  test('names and results of a contract', () =>
    withHostile(
      (hostile) => hostile['count']!(1) as Promise<unknown>,
      ({ url, address }) =>
        withPage(`${url}/#/address/${address}/functions`, async ({ page }) => {
          await page.getByText("<script>document.title='taken'</script>").waitFor()
          const name = page.locator('.function', { hasText: 'name' }).first()
          await name.getByText('(1000006 characters)').waitFor()
          expect(await name.textContent()).toContain('\\u202egnol')
          await page.getByRole('heading', { name: 'Hostile', level: 1 }).waitFor()
          expect(await page.title()).toBe('Hostile · dev-node')
        }),
    ))

  test('the reason of a failure', () =>
    withHostile(
      (hostile) => hostile['fail']!.send(MARKUP, { gasLimit: 100_000 }),
      ({ url, hash }) =>
        withPage(`${url}/#/tx/${hash}`, async ({ page }) => {
          await page.getByText('<img src=x onerror="document.title=1">\\u202etxt').first().waitFor()
          expect(await page.locator('img').count()).toBe(0)
        }),
    ))

  test('ten thousand events, of which the visible ones are in the document', () =>
    withHostile(
      (hostile) => hostile['count']!(10_000, { gasLimit: 16_700_000 }) as Promise<unknown>,
      ({ url, hash }) =>
        withPage(`${url}/#/tx/${hash}`, async ({ page }) => {
          const events = page.getByRole('region', { name: 'Calls and events, 10000' })
          await events.focus()
          await page.keyboard.press('End')
          await events.locator('li[aria-posinset="10000"]').waitFor()
          expect(await page.locator('.event').count()).toBeLessThan(200)
        }),
    ))
})
