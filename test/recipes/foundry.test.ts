/** The guide to Foundry: runs every command on both networks, and checks that it reaches the node. */
import { cp, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { describeFoundry, networks, openFoundry } from '../support/foundry.ts'
import type { Foundry } from '../support/foundry.ts'
import { request, startDevNode } from '../support/packed-command.ts'
import type { RunningNode } from '../support/packed-command.ts'
import { receivedRequests, recipe, runShell } from '../support/recipes.ts'

const project = join(import.meta.dirname, '..', 'clients', 'foundry')
describeFoundry('Foundry', () => {
  describe.each(networks)('on $network', ({ network, key, legacy }) => {
    let node: RunningNode
    let foundry: Foundry
    let counter = ''

    beforeAll(async () => {
      node = await startDevNode(['--network', network, '--verbose'])
      foundry = await openFoundry({ FOUNDRY_SOLC: join(project, 'solc.mjs') })
      await cp(project, foundry.folder, { recursive: true })
      await writeFile(
        join(foundry.folder, 'foundry.toml'),
        recipe('docs/foundry.md#foundry', 'toml', node.url).join('\n'),
      )
    })

    afterAll(async () => {
      await foundry.remove()
      await node.stop()
    })

    /** Runs lines of a shell with the variables that the recipe leaves to the reader. */
    async function run(lines: string): Promise<string> {
      const [forge, { cwd, env }] = foundry.start('forge')
      const [cast] = foundry.start('cast')
      const PATH = [dirname(forge), dirname(cast), env['PATH']].join(delimiter)
      const ACCOUNT = node.ready.accounts[0]!
      const variables = { ...env, PATH, KEY: key, ACCOUNT, COUNTER: counter, SHELL: '/bin/sh' }
      const { exitCode, output } = await runShell(`set -e\n${lines}`, cwd, variables)
      expect({ lines, exitCode, output }).toMatchObject({ exitCode: 0 })
      return output
    }

    test('forge scripts and deploys', async () => {
      const [block] = recipe('docs/foundry.md#forge', 'sh', node.url)
      const [ethereum, network33] = block!.replace('# --network ethereum\n', '').split('# network 33\n')
      const lines = (network === 'ethereum' ? ethereum! : network33!).trim().split('\n')
      for (const line of lines) {
        const before = node.stdout().length
        const output = await run(line.replace('Deploy.s.sol', 'Deploy.s.sol:Deploy'))
        counter = /Deployed to: (0x\w{40})/.exec(output)?.[1] ?? counter
        const methods = (await receivedRequests(node, before)).map(({ method }) => method)
        expect(methods.some((method) => method.startsWith('eth_send'))).toBe(true)
      }
      expect(counter).not.toBe('')
    })

    test('cast sends, calls, reads logs, reverts and edits', async () => {
      const [block] = recipe('docs/foundry.md#cast', 'sh', node.url)
      const before = node.stdout().length
      await run(legacy.length > 0 ? block! : block!.replace(' --legacy #', ' #'))
      const methods = new Set((await receivedRequests(node, before)).map(({ method }) => method))
      const expected = ['eth_sendTransaction', 'eth_call', 'eth_getLogs', 'evm_revert', 'anvil_setBalance']
      expect(expected.filter((method) => !methods.has(method))).toEqual([])
      const balance = await request(node.url, 'eth_getBalance', [node.ready.accounts[0], 'latest'])
      expect(balance).toBe('0xde0b6b3a7640000')
    })
  })
})
