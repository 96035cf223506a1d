import { describe, expect, test } from '@jest/globals'
import { addScript, addToConfig } from '../../lib/cli/config-edit.ts'

const HARDHAT_3 = {
  importLine: `import devNode from 'dev-node/hardhat'`,
  members: { plugins: '[devNode]', networks: { default: { type: `'dev-node'` } } },
} as const

const members = { members: { runner: `'x'`, plugins: '[p]', test: { setup: `'y'` } } } as const

test('members and an import are added to the object that is exported, in the style of the file', () => {
  const source = `import a, {
  type b,
} from "a";
import { defineConfig } from "hardhat/config";

const compilers = {
  plugins: [],
};

export default defineConfig({
  plugins: [a],
  solidity: { profiles: { default: "0.8.28" } },
  networks: {
    // default: { type: "http" },
    sepolia: { type: "http" },
  },
});
`
  expect(addToConfig(source, HARDHAT_3)).toBe(
    source
      .replace('hardhat/config";\n', 'hardhat/config";\nimport devNode from "dev-node/hardhat";\n')
      .replace('plugins: [a]', 'plugins: [devNode, a]')
      .replace('networks: {\n', 'networks: {\n    default: { type: "dev-node" },\n'),
  )
})

const ADDED = `runner: 'x', plugins: [p], test: { setup: 'y' },`

describe('every form of a config is edited in its style', () => {
  test.each([
    [
      'export default {\n}\n',
      `export default {\n  runner: 'x',\n  plugins: [p],\n  test: { setup: 'y' },\n}\n`,
    ],
    [
      'const config: Config = {\n    plugins: [],\n    test: {\n    },\n}\nexport default config\n',
      `const config: Config = {\n    runner: 'x',\n    plugins: [p],\n    test: {\n      setup: 'y',\n    },\n}\nexport default config\n`,
    ],
    [
      'module.exports = {\n  plugins: [\n    a,\n  ],\n}\n',
      `module.exports = {\n  runner: 'x',\n  test: { setup: 'y' },\n  plugins: [\n    p, a,\n  ],\n}\n`,
    ],
    [`module.exports = { solidity: '0.8.28' }\n`, `module.exports = { ${ADDED} solidity: '0.8.28' }\n`],
    ['module.exports = {}', `module.exports = { ${ADDED.slice(0, -1)} }`],
    ['export default defineConfig({ a: 1 })', `export default defineConfig({ ${ADDED} a: 1 })`],
    [
      'export default defineConfig(() => ({ a: 1 }))',
      `export default defineConfig(() => ({ ${ADDED} a: 1 }))`,
    ],
    [
      'export default mergeConfig(base, defineConfig({ a: 1 }))',
      `export default mergeConfig(base, defineConfig({ ${ADDED} a: 1 }))`,
    ],
    [
      'const config = { a: 1 } satisfies Config\nexport default config as Config',
      `const config = { ${ADDED} a: 1 } satisfies Config\nexport default config as Config`,
    ],
    ['const test = { a: 1 }\nmodule.exports = { ...shared, runner: [], plugins: [], test }\n', undefined],
    [`const test = { a: 1 }\nmodule.exports = { ...shared, plugins: 'q', test, runner: 'x' }\n`, undefined],
  ])('%j', (source, expected) => {
    expect(addToConfig(source, members)).toBe(expected)
  })

  const extended = { members: { plugins: '[p]', test: { setup: `'y'` } } }

  test.each([
    [
      'const test = { a: 1 }\nmodule.exports = { ...shared, plugins: "q", test }\n',
      'const test = { setup: "y", a: 1 }\nmodule.exports = { ...shared, plugins: [p, "q"], test }\n',
    ],
    [
      `{\n  "test": {},\n  "plugins": ["a"]\n}\n`,
      `{\n  "test": { "setup": "y" },\n  "plugins": [p, "a"]\n}\n`,
    ],
    [`{\n}\n`, `{\n  "plugins": [p],\n  "test": { "setup": "y" }\n}\n`],
  ])('members behind a spread, of a variable, and in JSON: %j', (source, expected) => {
    expect(addToConfig(source, extended)).toBe(expected)
  })

  test.each([
    [`'use strict'\nmodule.exports = f()\n`, `'use strict'\nrequire('n')\nmodule.exports = f()\n`],
    [`const a = require("a");\nf();\n`, `const a = require("a");\nrequire("n");\nf();\n`],
    [
      `/** @type {Config} */\nmodule.exports = f()\n`,
      `require('n')\n/** @type {Config} */\nmodule.exports = f()\n`,
    ],
  ])('a line alone goes behind the imports of any module: %j', (source, expected) => {
    expect(addToConfig(source, { importLine: `require('n')`, members: {} })).toBe(expected)
  })
})

describe('what a syntax tree does not tell is left as it is', () => {
  test.each([
    ['no object', 'export default createConfig()\n'],
    ['a function with statements', 'export default defineConfig(() => {\n  return { a: 1 }\n})\n'],
    ['the argument of any function', 'export default f({ a: 1 })\n'],
    ['two objects', 'module.exports = {\n}\nmodule.exports = {\n}\n'],
    ['no end', 'export default {\n  a: 1\n'],
    ['a variable of itself', 'const config = config\nexport default config\n'],
    ['a member that is there', `export default {\n  runner: 'z',\n}\n`],
    ['a member by a shorthand', `export default {\n  test,\n}\n`],
    ['a member of another form', `export default {\n  test: shared,\n}\n`],
    ['a method', `export default {\n  test() {},\n}\n`],
    ['a quoted member', `export default {\n  "runner": 'z',\n}\n`],
    ['a member within the member', `export default {\n  test: {\n    setup: 'z',\n  },\n}\n`],
    ['a spread object', `export default {\n  ...shared,\n}\n`],
    ['a member before a spread object', `export default {\n  test: {},\n  ...shared,\n}\n`],
    ['YAML', 'require: a\n'],
  ])('%s', (_case, source) => {
    expect(addToConfig(source, members)).toBeUndefined()
  })
})

describe('a script', () => {
  test.each([
    ['{\n  "name": "a"\n}\n', '{\n  "name": "a",\n  "scripts": {\n    "s": "c"\n  }\n}\n'],
    [
      '{\n\t"scripts": {\n\t\t"t": "u"\n\t},\n\t"name": "a"\n}',
      '{\n\t"scripts": {\n\t\t"t": "u",\n\t\t"s": "c"\n\t},\n\t"name": "a"\n}',
    ],
    ['{"name":"a"}', '{"name":"a","scripts":{"s":"c"}}'],
  ])('is added to %j', (source, expected) => {
    expect(addScript(source, 's', 'c')).toBe(expected)
  })

  test('is not added to a text of another format', () => {
    expect(addScript('{ "files": ["a"] }\n', 's', 'c')).toBeUndefined()
  })
})
