/** A stub of the servers that have sources of contracts, which answers in their formats, and counts what it is asked. */

import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SolcRun } from '../../support/artifact-projects.ts'

/** An answer: JSON, or a function that answers otherwise. */
export type StubAnswer = object | ((response: ServerResponse) => void)

/** A running stub. */
export interface SourceStub {
  readonly url: string
  /** Paths and queries that were asked for. */
  readonly asked: string[]
}

/** Runs a test with a stub that has answers by address in lower case. What it does not have is not verified. */
export async function withSourceStub(
  answers: Readonly<Record<string, StubAnswer>>,
  run: (stub: SourceStub) => Promise<void>,
): Promise<void> {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const address = /0x[0-9a-f]{40}/i.exec(url)?.[0] ?? ''
    const answer = answers[address.toLowerCase()] ?? notVerified(url, address)
    if (typeof answer === 'function') return answer(response)
    const status = 'match' in answer && answer.match === null ? 404 : 200
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await run({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked })
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

function notVerified(url: string, address: string): object {
  if (!url.includes('getsourcecode'))
    return { match: null, creationMatch: null, runtimeMatch: null, chainId: '1', address }
  const empty = {
    SourceCode: '',
    ABI: 'Contract source code not verified',
    ContractName: '',
    CompilerVersion: '',
  }
  return { status: '1', message: 'OK', result: [{ ...empty, Proxy: '0', Implementation: '' }] }
}

/** The version with its commit of the compiler of a run. */
export const compilerOf = (run: SolcRun, path: string, name: string): string =>
  JSON.parse(run.output.contracts[path]![name]!.metadata).compiler.version

/** An answer of Sourcify's API v2. */
export function sourcifyAnswer(run: SolcRun, path: string, name: string) {
  const settings = { ...run.input.settings, outputSelection: undefined }
  const { abi } = run.output.contracts[path]![name]!
  return {
    match: 'exact_match',
    creationMatch: 'exact_match',
    runtimeMatch: 'exact_match',
    chainId: '1',
    abi,
    compilation: {
      language: 'Solidity',
      compiler: 'solc',
      compilerVersion: compilerOf(run, path, name),
      compilerSettings: settings,
      name,
      fullyQualifiedName: `${path}:${name}`,
    },
    stdJsonInput: { language: 'Solidity', sources: run.input.sources, settings },
  }
}

/** The forms in which Etherscan has sources. */
export type EtherscanForm = 'one text' | 'files' | 'standard JSON'

/** An answer of Etherscan's API v2. */
export function etherscanAnswer(run: SolcRun, path: string, name: string, form: EtherscanForm) {
  const { sources, settings } = run.input
  const texts: Record<EtherscanForm, string> = {
    'one text': sources[path]!.content,
    files: JSON.stringify(sources),
    'standard JSON': `{${JSON.stringify({ language: 'Solidity', sources, settings })}}`,
  }
  return {
    status: '1',
    message: 'OK',
    result: [
      {
        SourceCode: texts[form],
        ABI: JSON.stringify(run.output.contracts[path]![name]!.abi),
        ContractName: name,
        CompilerVersion: `v${compilerOf(run, path, name)}`,
        OptimizationUsed: '0',
        Runs: '200',
        ConstructorArguments: '',
        EVMVersion: 'cancun',
        Library: '',
        LicenseType: 'MIT',
        Proxy: '0',
        Implementation: '',
        SwarmSource: '',
      },
    ],
  }
}
