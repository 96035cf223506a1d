/** The workflows of GitHub Actions and GitLab in the documents: their YAML, and the options that they set. */

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { OPTION_LIST } from '../../lib/modules/options.ts'
import { recipe } from '../support/recipes.ts'

const docs = join(import.meta.dirname, '../../docs')

/** The blocks of YAML that begin with a path, from all documents. */
const blocks = readdirSync(docs)
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) =>
    Array.from(
      readFileSync(join(docs, name), 'utf8').matchAll(/^```yaml\n# (\S+)\n([^]*?)^```$/gm),
      ([, path, text]) => ({
        name,
        path: path!,
        value: parse(text!, { strict: true, uniqueKeys: true }) as Record<string, any>,
      }),
    ),
  )

const texts = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } }
const list = { type: 'array', items: { type: 'string' }, minItems: 1 }
const record = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/** The part of GitHub's syntax of workflows that the documents use; anything else is likely a typing error. */
const step = {
  ...record({
    uses: { pattern: '^[\\w-]+/[\\w-]+@v\\d+$' },
    run: { type: 'string' },
    if: { type: 'string' },
    'continue-on-error': { const: true },
    with: texts,
  }),
  oneOf: [{ required: ['uses'] }, { required: ['run'] }],
}
const githubSchema = record(
  {
    on: { type: 'array', items: { enum: ['push', 'pull_request'] } },
    jobs: {
      type: 'object',
      additionalProperties: record(
        {
          'runs-on': { const: 'ubuntu-latest' },
          permissions: { type: 'object', additionalProperties: { enum: ['read', 'write'] } },
          env: texts,
          steps: { type: 'array', items: step, minItems: 1 },
        },
        ['runs-on', 'steps'],
      ),
    },
  },
  ['on', 'jobs'],
)
const gitlabSchema = {
  type: 'object',
  additionalProperties: record(
    {
      image: { type: 'string' },
      variables: texts,
      script: list,
      artifacts: record({
        when: { enum: ['on_success', 'on_failure', 'always'] },
        paths: list,
        reports: record({ junit: { type: 'string', pattern: '\\.xml$' } }),
      }),
    },
    ['script'],
  ),
}

describe.each(blocks.filter(({ path }) => /^\.github\/workflows\/|^\.gitlab-ci\.yml$/.test(path)))(
  '$path in $name',
  ({ path, value }) => {
    test('has the form of its service', () => {
      const ajv = new Ajv({ allowUnionTypes: true, strictTypes: false })
      ajv.validate(path.startsWith('.github/') ? githubSchema : gitlabSchema, value)
      expect(ajv.errors).toBeNull()
    })

    test('sets options that exist', () => {
      const jobs: Record<string, any>[] = Object.values(value['jobs'] ?? value)
      const names = jobs.flatMap(({ env, variables }) => Object.keys({ ...env, ...variables }))
      const known = OPTION_LIST.map(({ env }) => env)
      expect(names.filter((name) => name.startsWith('DEV_NODE_') && !known.includes(name))).toEqual([])
    })
  },
)

test('what fails is uploaded from where it is written', () => {
  const [github, gitlab] = recipe('docs/failures.md#in-ci', 'yaml', 'http://127.0.0.1').map((text): any =>
    parse(text),
  )
  const { env, steps } = github.jobs.test
  const upload = steps.find(({ uses }: any) => uses?.startsWith('actions/upload-artifact@'))
  expect([upload.if, upload.with.path]).toEqual(['failure()', env.DEV_NODE_REPORT])
  const { variables, artifacts } = gitlab.test
  expect([...artifacts.paths, artifacts.reports.junit]).toEqual([
    variables.DEV_NODE_REPORT,
    variables.DEV_NODE_SUMMARY,
    variables.DEV_NODE_JUNIT,
  ])
})

test('what is compared is where the figures of the main branch are unpacked', () => {
  const [workflow] = recipe('docs/failures.md#what-a-change-costs', 'yaml', 'http://127.0.0.1')
  const { env, steps } = parse(workflow!).jobs.figures
  const upload = steps.find(({ uses }: any) => uses?.startsWith('actions/upload-artifact@'))
  const download = steps.find(({ run }: any) => run?.includes('gh run download'))
  const [, name, folder] = /--name (\S+) --dir (\S+)$/.exec(download.run) ?? []
  expect(name).toBe(upload.with.name)
  const moved = (path: string) => path.replace(upload.with.path, folder!)
  expect([env.DEV_NODE_GAS_BASE, env.DEV_NODE_COVERAGE_BASE]).toEqual([
    moved(env.DEV_NODE_GAS_REPORT),
    moved(env.DEV_NODE_COVERAGE),
  ])
})
