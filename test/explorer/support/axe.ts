/** Looks for faults of accessibility in a page with axe-core. */

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const require = createRequire(import.meta.url)

/** Rules of axe whose outcome depends on colours and widths. The others hold on every window if they hold on one. */
export const RULES_OF_LOOKS = ['color-contrast', 'scrollable-region-focusable']

/** A rule that a page breaks, with the first element that does. */
interface Violation {
  readonly isSerious: boolean
  readonly text: string
}

/** The serious and critical faults; of some rules only, if they are named. */
export async function seriousFaults(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  return (await violationsOf(page, rules)).filter(({ isSerious }) => isSerious).map(({ text }) => text)
}

/** All faults of a page. */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<readonly Violation[]> {
  // Not as a script of the page, which its content security policy forbids.
  if (!(await page.evaluate<boolean>('"axe" in window')))
    await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'))
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`)
  return violations.map(({ id, help, impact, nodes }) => ({
    isSerious: impact === 'serious' || impact === 'critical',
    text: `${id}: ${help} (${nodes[0]?.html})`,
  }))
}
