// The choices that fftd offers in its welcome message, for the mock servers: test_choices writes them, and holds them
// equal.
import { readFileSync } from 'node:fs';

export const CHOICES = JSON.parse(readFileSync(new URL('choices.json', import.meta.url), 'utf8'));
