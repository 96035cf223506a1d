/** The values that the readers need of the files of Hardhat, Foundry, Truffle and solc. */

import type { JsonPattern } from './json-scanner.ts'

/** A pattern of whole values. */
const whole = (...names: readonly string[]): JsonPattern =>
  Object.fromEntries(names.map((name) => [name, true]))

const CODE = whole('object', 'sourceMap', 'generatedSources')

const CONTRACT: JsonPattern = {
  ...whole('abi', 'metadata', 'storageLayout'),
  evm: { bytecode: CODE, deployedBytecode: CODE },
}

/** Standard JSON input and output of solc (Solidity documentation, "Compiler Input and Output JSON Description"). */
const STANDARD_JSON: JsonPattern = {
  ...whole('language', 'settings'),
  sources: { '*': whole('id', 'ast', 'content') },
  contracts: { '*': { '*': CONTRACT } },
}

/** A build info. Foundry adds the paths of sources by id; Hardhat 3 names in the input by path in the project. */
const BUILD_INFO: JsonPattern = {
  ...whole('solcLongVersion', 'source_id_to_path', 'userSourceNameMap'),
  input: STANDARD_JSON,
  output: STANDARD_JSON,
}

/** An artifact. The code is text in those of Hardhat and Truffle, an object in those of Foundry. */
const ARTIFACT: JsonPattern = {
  ...whole('contractName', 'sourceName', 'inputSourceName', 'buildInfoId', 'buildInfo', 'id'),
  ...whole('abi', 'metadata', 'rawMetadata', 'storageLayout', 'ast', 'schemaVersion'),
  ...whole('source', 'sourcePath', 'sourceMap', 'deployedSourceMap'),
  ...whole('generatedSources', 'deployedGeneratedSources'),
  bytecode: CODE,
  deployedBytecode: CODE,
}

/** The values of every kind of file, because the kind of a file is known only when it was scanned. */
export const FILE_PATTERN: JsonPattern = { ...STANDARD_JSON, ...BUILD_INFO, ...ARTIFACT }
