/** Strict readers of what services of continuous integration read: XML 1.0 without a document type, and rows of tables in Markdown. */

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlElement[]
  text: string
}

/** What may stand in a document (XML 1.0, 2.2). */
const CHARACTERS = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const unescaped = (text: string): string => {
  if (/[<]|\]\]>/.test(text)) throw new Error(`markup in ${text}`)
  return text.replace(/&([^;]*);?/g, (reference, name: string) => {
    const character = /^#\d+$/.test(name) ? String.fromCodePoint(Number(name.slice(1))) : NAMED[name]
    if (character === undefined || !reference.endsWith(';')) throw new Error(`unknown reference ${reference}`)
    return character
  })
}

/** The elements of a document. @throws Error if it is not well-formed */
export function xmlTree(document: string): readonly XmlElement[] {
  if (!CHARACTERS.test(document)) throw new Error('a character that XML does not have')
  const [declaration] = /^<\?xml version="1.0" encoding="UTF-8"\?>\n/.exec(document) ?? ['']
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  let rest = document.slice(declaration.length)
  while (rest !== '') {
    const [token, end, start, attributes = ''] =
      /^(?:<\/(\w+)>|<(\w+)((?: \w+="[^"<]*")*)>|[^<]+)/.exec(rest) ?? []
    if (token === undefined) throw new Error(`not well-formed: ${rest.slice(0, 80)}`)
    rest = rest.slice(token.length)
    const current = open.at(-1)!
    if (start !== undefined) {
      const pairs = [...attributes.matchAll(/ (\w+)="([^"]*)"/g)].map(([, name, value]) => [
        name!,
        unescaped(value!),
      ])
      const element = { name: start, attributes: Object.fromEntries(pairs), children: [], text: '' }
      current.children.push(element)
      open.push(element)
    } else if (end === undefined) current.text += unescaped(token)
    else if (open.pop()!.name !== end) throw new Error(`${end} ends another element`)
  }
  if (open.length !== 1) throw new Error('an element does not end')
  return root.children
}

/**
 * The texts of the elements `code` in each cell of a row of a table. Anything else than such elements, references to characters and text
 * that no Markdown means anything by is an error.
 */
export function markdownCells(row: string): readonly (readonly string[])[] {
  return row
    .replace(/^\| | \|$/g, '')
    .split(' | ')
    .map((cell) => cell.split('<br>').map(codeText))
}

function codeText(element: string): string {
  const [, content] = /^<code>((?:&#\d+;|[\p{L}\p{N} ,()/=.-])*)<\/code>$/u.exec(element) ?? []
  if (content === undefined || /www\./i.test(content)) throw new Error(`not plain: ${element}`)
  return content.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
}
