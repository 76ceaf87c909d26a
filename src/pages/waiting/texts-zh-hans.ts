/** The texts of the waiting pages in one language: a file of its own, so that a page loads only the one it shows. */
export { common, questions, waiting } from '../texts/zh-hans.ts';
