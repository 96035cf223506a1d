/** Rules of the project for the linter (.oxlintrc.json). */

/** A rule that reports every node of a selector. */
const restricted = (selector, message) => ({
  create: (context) => ({ [selector]: (node) => context.report({ node, message }) }),
})

export default {
  meta: { name: 'project' },
  rules: {
    'no-spread-literal': restricted(
      'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
      'Write the members out: a spread literal switches off the check of excess properties.',
    ),
    'zod-namespace': restricted(
      'ImportDeclaration[source.value="zod"] ImportSpecifier',
      'Import zod as a namespace: what of it is not used is not bundled then.',
    ),
  },
}
