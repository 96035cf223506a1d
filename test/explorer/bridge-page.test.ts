/** The page of the Bridge in a real browser. */

import { describe, expect, test } from '@jest/globals'
import { RULES_OF_LOOKS, seriousFaults } from './support/axe.ts'
import { browserPath, newestBlock, withPage } from './support/browser.ts'
import { BRIDGE, payment } from '../modules/network-33/support/peg-in.ts'
import { pegIn, requestPegOut, sign, update } from '../modules/network-33/support/peg-out.ts'
import { COW } from '../support/signing.ts'
import { answerOf, withServer } from '../support/server.ts'

const describeInBrowser = browserPath === undefined ? describe.skip : describe

describeInBrowser('the page of the Bridge', () => {
  test('follows coins, a peg-out to its signatures, and the auxiliary chain', async () => {
    await withServer({ federation: 'off' }, async ({ url }) => {
      const ask = async (method: string, params: unknown[]) => (await answerOf(url, method, params)).result
      await withPage(url, async ({ page }) => {
        await page.getByRole('link', { name: 'Bridge', exact: true }).click()
        expect(page.url()).toBe(`${url}/#/bridge`)
        const section = (title: string) => page.locator('section', { hasText: title })
        await section('Federation').getByText('2N5muMepJizJE1gR7FbHJU6CD18V3BpNF9p').waitFor()
        await section('Federation').getByText('2 of 3').waitFor()
        await page.getByText('The federation holds no coins').waitFor()

        await pegIn(ask)
        await section('Coins (1)').getByText('0.005 coins').waitFor()
        await section('Auxiliary chain').getByText('headers up to height 3').waitFor()
        // Makes no block of this chain.
        const waiting = await ask('dev_auxSend', [payment()])
        await section('Waiting for a block').getByTitle(waiting).waitFor()

        const request = await requestPegOut(ask)
        const queued = section('Peg-outs that wait for a batch (1)')
        await queued.getByText('n47u2xVMrzaVpgGDK5TJjZHKggM7r8CdAm').waitFor()
        expect(await queued.getByTitle(request).getAttribute('href')).toBe(`#/tx/${request}`)
        await ask('eth_sendTransaction', [
          { from: COW, to: BRIDGE, value: '0x38d7ea4c68000', gas: '0x186a0' },
        ])
        await section('Refused peg-outs (1)').getByText('the amount is below the minimum').waitFor()
        const made = await update(ask)
        await section('wait for confirmations (1)').getByTitle(made).waitFor()
        await page.getByText('The federation holds no coins').waitFor()
        await update(ask, 2)
        const signing = section('wait for signatures (1)')
        await signing.getByText('0 of 2').waitFor()
        const [release] = (await ask('dev_bridge', [])).signing
        const signature = await sign(ask, release)
        await signing.getByText('1 of 2').waitFor()

        expect(await seriousFaults(page)).toEqual([])
        await page.emulateMedia({ colorScheme: 'dark' })
        await page.setViewportSize({ width: 420, height: 800 })
        expect(await seriousFaults(page, RULES_OF_LOOKS)).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(420)

        await page.goto(`${url}/#/tx/${signature}`)
        await page.getByText('emit bridge.add_signature(releaseTxHash: ').waitFor()
        await page.goto(`${url}/#/tx/${request}`)
        await page.getByText('auxDestinationAddress: n47u2xVMrzaVpgGDK5TJjZHKggM7r8CdAm').waitFor()
      })
    })
  })

  test('has no link on an Ethereum network, where it says that there is no Bridge', async () => {
    await withServer({ network: 'ethereum' }, ({ url }) =>
      withPage(`${url}/#/bridge`, async ({ page }) => {
        await page.getByText('this network has no Bridge').waitFor()
        await newestBlock(page, 0)
        expect(await page.getByRole('link', { name: 'Bridge', exact: true }).count()).toBe(0)
      }),
    )
  })
})
