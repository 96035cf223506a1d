/** Makes a node from a file of failures (modules/report): explanations and the debugger work as on the node that had them. */

import { readFile } from 'node:fs/promises'
import { refuseOption } from '../base/errors.ts'
import { asHash } from '../base/hex.ts'
import { reasonOf } from '../base/system-errors.ts'
import type { Network } from '../config/network.ts'
import { indexBuild } from '../insight/artifacts/indexed-file.ts'
import { JsonValue } from '../insight/artifacts/json-file.ts'
import { kindsOf } from '../kernel/running-modules.ts'
import { MODULES } from '../modules/list.ts'
import type { OptionsInput } from '../modules/options.ts'
import { rerunOf } from '../modules/report/recorded-execution.ts'
import { decodeReport, type ReportContent } from '../modules/report/report-file.ts'
import { resolveOptions } from '../modules/resolve-options.ts'
import { createNode, type Node } from '../node/node.ts'

/** Reads a file of failures. @throws NodeError 'invalidOption' if it cannot be read, 'invalidState' if it is damaged, newer or another file */
export async function readReport(path: string): Promise<ReportContent> {
  const bytes = await readFile(path).catch((cause: unknown) =>
    refuseOption(`cannot read the failures in ${path}: ${reasonOf(cause)}`, cause),
  )
  return decodeReport(bytes, path)
}

/** A node whose failures are those of a report. Its chain has no other blocks than the first. */
export async function openReport(content: ReportContent, values: OptionsInput = {}): Promise<Node> {
  const { allowUnlimitedContractSize, release } = content.rules
  const options = resolveOptions({
    values: { holdsKeys: false, noArtifacts: true, report: false, allowUnlimitedContractSize, release, ...values },
  })
  const node = await createNode(options, { modules: MODULES, network: networkOf(content) })
  const codes = new Map(Object.entries(content.codes).map(([hash, code]) => [asHash(hash), code] as const))
  for (const build of content.builds) {
    const file = { path: '', root: new JsonValue(() => build), version: { modifiedAtMs: content.at, size: 0 } }
    node.contractCatalog.add(indexBuild(file, undefined))
  }
  for (const { executions, ...result } of content.tests) {
    const test = { result, executions: executions.map(({ id }) => id) }
    for (const { id, at, world, kind, outcome, explanation, ...execution } of executions) {
      const rerun = rerunOf({ kind, outcome, ...execution }, node, codes)
      const explain = () => Promise.resolve(explanation)
      node.failures.add({ kind, outcome, world, inputLength: 0, explain, test, ...rerun }, { id, at })
    }
  }
  return node
}

/** @throws NodeError 'invalidOption' if no module of this node has the network */
function networkOf({ rules: { kind: name, network } }: ReportContent): Network {
  const kind = kindsOf(MODULES).find((known) => known.name === name)
  if (kind === undefined) return refuseOption(`the failures are of a network of kind ${name}, which this node does not know`)
  return {
    ...network,
    kind,
    genesis: { ...network.genesis, accounts: [], systemContracts: false },
    accounts: { source: 'keys', keys: [] },
  }
}
