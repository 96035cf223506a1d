import { expect, test } from '@jest/globals'
import { COMMAND_FLAGS } from '../../lib/cli/command-flags.ts'
import { helpText } from '../../lib/cli/help.ts'
import { optionsMarkdown } from '../../scripts/options-table.ts'
import { OPTION_LIST } from '../../lib/modules/options.ts'

const flat = (await helpText('start')).replace(/\s+/g, ' ')
const markdown = optionsMarkdown()

test.each(OPTION_LIST)('--$flag is in the help and in the document', ({ flag, env, summary }) => {
  expect(flat).toContain(` --${flag} `)
  expect(flat.replace(/ \[default: [^\]]*\]/g, '')).toContain(summary)
  expect(markdown).toMatch(new RegExp(String.raw`\| .--${flag}[^|]* \| .${env}. \|`))
})

test('the transports are named', () => {
  expect(flat).toContain('answers JSON-RPC over HTTP, WebSocket and, with --ipc, a local socket.')
})

test('the help without a command lists the commands, six options and examples, on one screen', async () => {
  const overview = await helpText('')
  for (const name of ['start', ...Object.keys(COMMAND_FLAGS)])
    expect(overview).toMatch(new RegExp(`^  dev-node ${name} +\\w`, 'm'))
  const options = /Most used options:\n([^]*?)\n\n/.exec(overview)?.[1] ?? ''
  expect(options.match(/^ +(-p, )?--/gm)).toHaveLength(6)
  expect(overview.split('\n').length).toBeLessThan(45)
})

test('every option is explained by one sentence or two', () => {
  for (const { summary } of OPTION_LIST) expect(summary).toMatch(/^[A-Z].*\.$/)
})
