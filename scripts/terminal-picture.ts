/** Draws the output of a command as a picture of a terminal, in SVG. */

/** Columns after which a line goes on in the next row, as in a terminal. */
const COLUMNS = 112
const CHARACTER_WIDTH = 7.2
const ROW_HEIGHT = 17
const MARGIN = 16

/** Classes for the codes with which chalk begins a style (ECMA-48, SGR). */
const STYLES: Readonly<Record<string, string>> = {
  '1': 'bold',
  '2': 'dim',
  '31': 'red',
  '32': 'green',
  '33': 'yellow',
  '35': 'magenta',
  '36': 'cyan',
}

const STYLE_SHEET = `text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #e6edf3; white-space: pre }
rect { fill: #161b22 }
.bold { font-weight: 700 }
.dim { fill: #8b949e }
.red { fill: #ff7b72 }
.green { fill: #7ee787 }
.yellow { fill: #e3b341 }
.magenta { fill: #d2a8ff }
.cyan { fill: #76e3ea }`

/** Some characters of one style. */
interface Span {
  readonly text: string
  /** Undefined for plain text. */
  readonly style: string | undefined
}

/** A picture of lines that chalk has coloured. */
export function terminalPicture(lines: readonly string[], title: string): string {
  const rows = lines.flatMap((line) => wrapped(spansOf(line)))
  const width = Math.ceil(COLUMNS * CHARACTER_WIDTH + 2 * MARGIN)
  const height = rows.length * ROW_HEIGHT + 2 * MARGIN
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${STYLE_SHEET}</style>`,
    `<rect width="${width}" height="${height}" rx="8"/>`,
    ...rows.map((row, index) => rowText(row, MARGIN + 12 + index * ROW_HEIGHT)),
    '</svg>',
    '',
  ].join('\n')
}

/** The parts of a line; at each code the style changes. */
function spansOf(line: string): readonly Span[] {
  // Without a capture group, `split` leaves the codes out; with it, they stand between the texts.
  const [first = '', ...rest] = line.split(/\u001B\[(\d+)m/)
  const spans: Span[] = [{ text: first, style: undefined }]
  for (let at = 0; at < rest.length; at += 2)
    spans.push({ text: rest[at + 1] ?? '', style: STYLES[rest[at] ?? ''] })
  return spans.filter(({ text }) => text !== '')
}

/** The rows of a line. */
function wrapped(spans: readonly Span[]): readonly (readonly Span[])[] {
  const rows: Span[][] = [[]]
  let free = COLUMNS
  for (const { text, style } of spans) {
    for (let at = 0; at < text.length;) {
      if (free === 0) {
        rows.push([])
        free = COLUMNS
      }
      const part = text.slice(at, at + free)
      rows.at(-1)?.push({ text: part, style })
      at += part.length
      free -= part.length
    }
  }
  return rows
}

function rowText(row: readonly Span[], y: number): string {
  const spans = row.map(({ text, style }) =>
    style === undefined ? escaped(text) : `<tspan class="${style}">${escaped(text)}</tspan>`,
  )
  const length = row.reduce((sum, { text }) => sum + text.length, 0)
  // The length makes rows of characters stand below each other in every font.
  return `<text x="${MARGIN}" y="${y}" textLength="${(length * CHARACTER_WIDTH).toFixed(1)}" xml:space="preserve">${spans.join('')}</text>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
