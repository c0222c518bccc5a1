/** Connects features where the lower one needs something of the upper one, which it must not import. */
import { connectPlaylists } from '~/features/content/ports.ts';
import { appendItems, playlistKey } from '~/features/playlists/api/playlist-items.ts';

connectPlaylists({ append: appendItems, key: playlistKey });
