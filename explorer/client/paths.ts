/** Paths of chains: `/` or `/<key>`, and `/w/<id>` behind either. */

const WORLD = /\/w\/([^/]+)\/?$/

/** Id of the world of the page; undefined on the default chain. */
export const worldHere = WORLD.exec(location.pathname)?.[1]

const base = location.pathname.replace(WORLD, '').replace(/\/$/, '')

/** Path of the page of the default chain, with the API key of this page. */
export const defaultPath = base === '' ? '/' : base

/** Path of the page of a world, with the API key of this page. */
export const pathOfWorld = (id: string): string => `${base}/w/${id}`
