// The package is pure and takes no types of Node or of a browser. Tests alone use these two.
declare const performance: { now(): number };

declare module '*?raw' {
  const text: string;
  export default text;
}
