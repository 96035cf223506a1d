/** Compiles the contracts into contracts.json. */

const { readFileSync, readdirSync, writeFileSync } = require('node:fs')
const solc = require(process.env.SOLC_PACKAGE)

const sources = Object.fromEntries(
  readdirSync('contracts').map((name) => [name, { content: readFileSync(`contracts/${name}`, 'utf8') }]),
)
const settings = { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } }
const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })))
const contracts = Object.values(output.contracts).flatMap((file) => Object.entries(file))
writeFileSync(
  'contracts.json',
  JSON.stringify(
    Object.fromEntries(
      contracts.map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }]),
    ),
  ),
)
