/** Pins the locale of the tests; imported before what formats. */
Object.defineProperty(navigator, 'languages', { get: () => ['en-GB'], configurable: true });
