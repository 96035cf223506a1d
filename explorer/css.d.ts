/** Style sheets are taken out of the script by the bundler. */
declare module '*.css'
