/** What a page does: its search, buttons that copy code, and contents that show where the page is. */

import type { Hit } from './search.ts'

/** Results that are shown. */
const MOST_HITS = 12

/** Characters of a section around the first word that was found. */
const BEFORE = 40
const EXCERPT = 160

const root = document.documentElement.dataset['root'] ?? '.'
const field = document.querySelector<HTMLInputElement>('input[type=search]')
const results = document.querySelector<HTMLElement>('#results')

if (field !== null && results !== null) startSearch(field, results)
document.querySelectorAll('pre').forEach(addCopyButton)
document.querySelectorAll<HTMLElement>('#contents [aria-current]').forEach(showInContents)

function startSearch(input: HTMLInputElement, list: HTMLElement): void {
  const show = (): void => {
    const words = input.value.trim()
    list.hidden = words === ''
    if (words === '') return
    if (globalThis.findSections === undefined) list.replaceChildren('Loading the index …')
    else {
      const hits = globalThis.findSections(words).slice(0, MOST_HITS)
      list.replaceChildren(...(hits.length === 0 ? [`Nothing has “${words}”.`] : hits.map(linkTo)))
    }
  }
  input.addEventListener('focus', () => loadIndex(show), { once: true })
  input.addEventListener('input', show)
  input.addEventListener('focus', show)
  const places = (): readonly HTMLElement[] => [input, ...list.querySelectorAll('a')]
  document.addEventListener('keydown', (event) => {
    const at = places().findIndex((place) => place === document.activeElement)
    if (at < 0) {
      if (event.key !== '/' || event.ctrlKey || event.metaKey) return
      input.focus()
    } else if (event.key === 'ArrowDown') places()[at + 1]?.focus()
    else if (event.key === 'ArrowUp') places()[at - 1]?.focus()
    else if (event.key === 'Enter' && at === 0) places()[1]?.click()
    else if (event.key === 'Escape') list.hidden = true
    else return
    event.preventDefault()
  })
  document.addEventListener('click', ({ target }) => {
    if (target !== input) list.hidden = true
  })
}

/** A script and no module, so that it also loads from a file of a disk. */
function loadIndex(ready: () => void): void {
  const script = document.createElement('script')
  script.src = `${root}/search.js`
  script.addEventListener('load', ready)
  document.head.append(script)
}

function linkTo({ id, page, heading, text, terms }: Hit): HTMLElement {
  const link = document.createElement('a')
  link.href = `${root}/${id}`
  const title = document.createElement('b')
  title.textContent = heading === page ? page : `${page} › ${heading}`
  const words = new RegExp(`(${terms.map(quoted).join('|')})`, 'i')
  link.append(title, ...excerpt(text, words))
  return link
}

/** A text as a regular expression. */
const quoted = (text: string): string => text.replaceAll(/[^\w\s]/g, String.raw`\$&`)

/** The text around the first of the words, which are marked. */
function excerpt(text: string, words: RegExp): readonly (Node | string)[] {
  const from = text.lastIndexOf(' ', Math.max(0, text.search(words) - BEFORE)) + 1
  const to = text.length > from + EXCERPT ? text.lastIndexOf(' ', from + EXCERPT) : text.length
  const parts = text.slice(from, to).split(words)
  return parts.map((part, index) => {
    if (index % 2 === 0) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}

/** Scrolls the contents only, and not the page. */
function showInContents(entry: HTMLElement): void {
  const contents = entry.offsetParent
  if (contents !== null) contents.scrollTop = entry.offsetTop - contents.clientHeight / 2
}

function addCopyButton(block: HTMLElement): void {
  const button = document.createElement('button')
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(block.textContent).then(() => (button.textContent = 'Copied'))
  })
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  frame.append(block, button)
}
