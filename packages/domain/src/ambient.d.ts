// The package does not depend on types of Node or browsers. Only its tests use these declarations.
declare const performance: { now(): number };

declare module '*?raw' {
  const text: string;
  export default text;
}
