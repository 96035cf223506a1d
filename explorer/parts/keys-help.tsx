/** The keys of all pages in a dialog, which `?` opens. */

import type { VNode } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Keys, and what they do, by place. */
const KEYS = {
  'Every page': [
    ['/', 'search; also Ctrl-K'],
    ['?', 'these keys'],
    ['Tab', 'the next link or button'],
  ],
  Search: [
    ['↓ ↑', 'choose a suggestion'],
    ['Enter', 'open it'],
    ['Esc', 'close the suggestions'],
  ],
  Debugger: [
    ['→ ←', 'over the next statement, or back over the last'],
    ['o i u', 'over, into, out'],
    ['r w c e', 'run to the next revert, write, call, event'],
    ['Shift', 'with a letter: backwards'],
    ['Home End', 'the first or the last step'],
  ],
} as const

export function KeysHelp(): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      const isField = event.target instanceof Element && event.target.matches('input, select, textarea')
      if (event.key === '?' && !isField) dialog.current?.showModal()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <>
      <button
        type="button"
        class="button"
        aria-label="Keys"
        title="Keys: ?"
        onClick={() => dialog.current?.showModal()}
      >
        ?
      </button>
      <dialog ref={dialog} class="keys" aria-label="Keys">
        {Object.entries(KEYS).map(([place, keys]) => (
          <section key={place}>
            <h2>{place}</h2>
            <dl class="fields">
              {keys.map(([key, meaning]) => (
                <div key={key}>
                  <dt>
                    {key.split(' ').map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <form method="dialog">
          <button type="submit" class="primary">
            Close
          </button>
        </form>
      </dialog>
    </>
  )
}
