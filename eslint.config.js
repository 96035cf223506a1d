import tseslint from 'typescript-eslint'

/** Globals that reach outside the process; each lives in the one file that owns it (style 22). */
const hostGlobals = ['Date', 'setTimeout', 'setInterval', 'setImmediate', 'process', 'console']

export default tseslint.config(
  // AssemblyScript is checked by its compiler; rpc-types.ts is generated.
  {
    ignores: ['assembly', 'dist', 'node_modules', '.cache', 'test/clients/hardhat', 'lib/embed/rpc-types.ts'],
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ImportDeclaration[source.value="zod"] ImportSpecifier',
          message: 'Import zod as a namespace: what of it is not used is not bundled then.',
        },
        {
          selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
          message: 'Write the members out: a spread literal switches off the check of excess properties.',
        },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // The compiler allows no enum here, and the rule takes a fifth of the time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      eqeqeq: 'error',
    },
  },
  {
    files: ['lib/**/*.ts', 'bin/**/*.ts'],
    rules: {
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      // The interfaces of the EVM library are asynchronous; our implementations need not wait.
      '@typescript-eslint/require-await': 'off',
      'max-lines': ['error', 250],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      'no-restricted-globals': ['error', ...hostGlobals],
    },
  },
  {
    // These run in the process of somebody's tests.
    files: ['lib/embed/{testing,hardhat}/**/*.ts'],
    rules: { 'no-restricted-globals': 'off' },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts', 'fuzz/**/*.ts', 'scripts/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/require-await': 'off',
    },
  },
)
