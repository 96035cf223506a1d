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

test.each([
  [
    'export default {\n}\n',
    `export default {\n  runner: 'x',\n  plugins: [p],\n  test: { setup: 'y' },\n}\n`,
  ],
  [
    'const config: Config = {\n    plugins: [],\n    test: {\n    },\n}\nexport default config\n',
    `const config: Config = {\n    runner: 'x',\n    plugins: [p, ],\n    test: {\n      setup: 'y',\n    },\n}\nexport default config\n`,
  ],
  [
    'module.exports = {\n  plugins: [\n    a,\n  ],\n}\n',
    `module.exports = {\n  runner: 'x',\n  test: { setup: 'y' },\n  plugins: [p, \n    a,\n  ],\n}\n`,
  ],
])('%j', (source, expected) => {
  expect(addToConfig(source, members)).toBe(expected)
})

describe('a text that is not surely understood is left as it is', () => {
  test.each([
    ['no object', 'export default createConfig()\n'],
    ['a function', 'export default defineConfig(() => ({\n  a: 1,\n}))\n'],
    ['two objects', 'module.exports = {\n}\nmodule.exports = {\n}\n'],
    ['no end', 'export default {\n  a: 1\n'],
    ['a member that is there', `export default {\n  runner: 'z',\n}\n`],
    ['a member by a shorthand', `export default {\n  test,\n}\n`],
    ['a member of another form', `export default {\n  test: shared,\n}\n`],
    ['a quoted member', `export default {\n  "runner": 'z',\n}\n`],
    ['a member within the member', `export default {\n  test: {\n    setup: 'z',\n  },\n}\n`],
    ['a spread object', `export default {\n  ...shared,\n}\n`],
    ['an object on one line', `export default { a: 1 }\n`],
    ['a member on one line', `export default {\n  test: { a: 1 },\n}\n`],
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
