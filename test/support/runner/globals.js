/** The functions of Jest for test files and what they import. Each file has its own: the bindings change, the module stays. */

export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test

/** Sets the functions of the file that runs next. */
export function setGlobals(next) {
  ;({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = next)
}
