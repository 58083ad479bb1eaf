// In a file of its own: it brings the names of columns in all languages.
export { ContactFile } from '@heliograph/domain';
