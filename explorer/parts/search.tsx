/** The search field, with suggestions while a text is typed. `/` and Ctrl-K go to it; Enter opens a single hit. */

import './search.css'
import type { VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useHashLocation } from 'wouter-preact/use-hash-location'
import { useLoaded } from '../client/loaded.ts'
import { suggestionsFor } from '../client/suggestions.ts'
import type { Suggestion } from '../client/suggestions.ts'
import { SuggestionText } from './suggestion-text.tsx'

/** Suggestions that are shown; the page of the search has all. */
const MAX_SHOWN = 10

/** Milliseconds without a key until suggestions are asked for. */
const CALM_MS = 80

export function Search(): VNode {
  const [, goTo] = useHashLocation()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<number>()
  useShortcut(() => field.current?.focus())
  const loaded = useLoaded(async () => {
    await new Promise((resolve) => setTimeout(resolve, CALM_MS))
    return field.current?.value.trim() === text ? suggestionsFor(text) : []
  }, [text])
  const shown = loaded.state === 'loaded' ? loaded.value.slice(0, MAX_SHOWN) : []
  const open = (page: string): void => {
    setText('')
    setChosen(undefined)
    if (field.current !== null) field.current.value = ''
    // The keys are those of the page that is opened.
    field.current?.blur()
    goTo(page)
  }
  const search = async (): Promise<void> => {
    const asked = field.current?.value.trim() ?? ''
    if (asked === '') return
    const picked = chosen === undefined ? undefined : shown[chosen]
    const { href } = location
    // The suggestions on the screen may be those of an earlier text.
    const found = picked === undefined ? await suggestionsFor(asked).catch(() => []) : [picked]
    // Who has opened another page or types another text wants no answer any more.
    if (location.href === href && field.current?.value.trim() === asked) open(pageOf(asked, found))
  }
  const move = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Escape') setText('')
    if (step === 0 || shown.length === 0) return
    event.preventDefault()
    setChosen(((chosen ?? (step === 1 ? -1 : 0)) + step + shown.length) % shown.length)
  }
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        void search()
      }}
    >
      <input
        ref={field}
        type="search"
        role="combobox"
        aria-expanded={shown.length > 0}
        aria-controls="suggestions"
        aria-autocomplete="list"
        aria-activedescendant={chosen === undefined ? undefined : `suggestion-${chosen}`}
        aria-label="Search"
        placeholder="Block, hash, address, contract, function   /"
        required
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => {
          setText(currentTarget.value.trim())
          setChosen(undefined)
        }}
        onKeyDown={move}
        onBlur={() => setText('')}
      />
      <ul id="suggestions" role="listbox" aria-label="Suggestions" hidden={shown.length === 0}>
        {shown.map((one, index) => (
          <li
            key={`${one.page} ${one.text}`}
            id={`suggestion-${index}`}
            role="option"
            aria-selected={index === chosen}
            // Before the field loses the focus.
            onMouseDown={() => open(one.page)}
          >
            <SuggestionText of={one} />
          </li>
        ))}
      </ul>
    </form>
  )
}

/** A number is that of a block before that of an account; of several other hits the page of the search lists all. */
function pageOf(asked: string, [first, another]: readonly Suggestion[]): string {
  if (first !== undefined && (another === undefined || first.kind === 'block')) return first.page
  if (/^\d+$/.test(asked)) return `/block/${asked}`
  return `/search/${encodeURIComponent(asked)}`
}

/** Calls `run` at `/` outside of a field, and at Ctrl-K or Command-K. */
function useShortcut(run: () => void): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isField = event.target instanceof Element && event.target.matches('input, select, textarea')
      const isCommand = (event.ctrlKey || event.metaKey) && event.key === 'k'
      if (!isCommand && (event.key !== '/' || isField)) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}
