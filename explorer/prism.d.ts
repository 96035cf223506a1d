/** The parts of Prism that the types of its package leave out. */
declare module 'prismjs/components/prism-core' {
  export { default } from 'prismjs'
}
