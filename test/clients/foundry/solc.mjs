#!/usr/bin/env node
/**
 * The compiler of npm under the two command lines by which forge runs one: `--version`, and `--standard-json` with the
 * input on stdin. Sources arrive whole, so that paths it may read from, which forge names as well, are ignored.
 */
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'

const require = createRequire(import.meta.url)

// forge asks for the version at every start: eight megabytes of WebAssembly are loaded only to compile.
if (process.argv.includes('--version')) console.log(`Version: ${require('solc/package.json').version}`)
else process.stdout.write(require('solc').compile(await text(process.stdin)))
