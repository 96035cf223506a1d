/** Compiles the contracts with solc from npm. dev-node reads the file to show lines of Solidity. */

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import solc from 'solc'

const paths = readdirSync('contracts').map((name) => `contracts/${name}`)
const input = {
  language: 'Solidity',
  sources: Object.fromEntries(paths.map((path) => [path, { content: readFileSync(path, 'utf8') }])),
  settings: {
    outputSelection: { '*': { '': ['ast'], '*': ['abi', 'evm.bytecode', 'evm.deployedBytecode'] } },
  },
}

const output = JSON.parse(solc.compile(JSON.stringify(input)))
for (const { formattedMessage } of output.errors ?? []) console.error(formattedMessage)
if (output.contracts === undefined) process.exit(1)

mkdirSync('artifacts', { recursive: true })
writeFileSync('artifacts/contracts.json', JSON.stringify({ input, output }))
