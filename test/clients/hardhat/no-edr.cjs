/** Fails whatever loads EDR, the chain of Hardhat: required by `node --require`, in the workers of Mocha too. */
const Module = require('node:module')

const load = Module._load
Module._load = function (name, ...rest) {
  if (name === '@nomicfoundation/edr') throw new Error('EDR was loaded')
  return load.call(this, name, ...rest)
}
