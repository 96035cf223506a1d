import { readFileSync } from 'node:fs'
import { Session } from './session.ts'
const f = JSON.parse(readFileSync(process.argv[2]!, 'utf8'))
const s = await Session.start(process.argv[3]!, f.setting, { unansweredMs: 8000 })
for (const e of f.exchanges.slice(0, -1)) {
  const t = performance.now()
  try {
    await s.fire(e)
  } catch (x) {
    console.log('early', e.kind, String(x).slice(0, 200))
  }
  const ms = performance.now() - t
  if (ms > 1000) console.log(Math.round(ms), e.text.slice(0, 300))
}
const last = f.exchanges.at(-1)
const items = last.text.startsWith('[') ? JSON.parse(last.text) : [JSON.parse(last.text)]
for (const r of items) {
  const t = performance.now()
  try {
    await s.fire({ ...last, text: JSON.stringify(r), ids: undefined })
  } catch (x) {
    console.log('FAIL', JSON.stringify(r), String(x).slice(0, 200))
    break
  }
  const ms = performance.now() - t
  if (ms > 500) console.log(Math.round(ms), JSON.stringify(r).slice(0, 300))
}
await s.stop()
process.exit()
