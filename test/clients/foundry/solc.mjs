#!/usr/bin/env node
/**
 * The compiler of npm under the two command lines by which forge runs one: `--version`, and `--standard-json` with the
 * input on stdin. Sources arrive whole, so that paths it may read from, which forge names as well, are ignored.
 */
import { text } from 'node:stream/consumers'
import solc from 'solc'

if (process.argv.includes('--version')) process.stdout.write(`Version: ${solc.version()}\n`)
else process.stdout.write(solc.compile(await text(process.stdin)))
