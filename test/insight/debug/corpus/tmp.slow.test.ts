import { test } from '@jest/globals'
import { PIPELINES, outputOf } from './compiler.ts'
import { prove } from './proven.ts'
import { corpusSources } from './source.ts'
test.each(PIPELINES)('$version $name', async (pipeline) => {
  await prove(corpusSources(pipeline.version), pipeline, outputOf)
})
