"""A mail server for the tests: aiosmtpd, with answers chosen by the recipient's address.

Listens on a free loopback port, prints it on the first line, then prints one line of JSON for each recipient and
each message, and exits when its input is closed.

    rcpt-451-2@..   answers 451 to the first two RCPT, then accepts the email; likewise for any code
    data-554-1@..   the same after DATA
    hang@..         never answers RCPT
"""

import argparse
import asyncio
import email
import email.policy
import json
import logging
import ssl
import sys
import threading
import warnings

try:
    from aiosmtpd.smtp import SMTP, AuthResult
except ImportError:
    print(json.dumps({"missing": "python3-aiosmtpd"}), flush=True)
    sys.exit(1)


# It warns about things that some tests do on purpose.
logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")


def say(**what):
    print(json.dumps(what), flush=True)


class Answers:
    def __init__(self):
        self.asked = {}

    def to(self, stage, address):
        """Returns the answer chosen by this address at this stage, or None to accept."""
        words = address.split("@")[0].split("-")
        if len(words) != 3 or words[0] != stage:
            return None
        self.asked[address] = self.asked.get(address, 0) + 1
        if self.asked[address] > int(words[2]):
            return None
        # Real servers repeat the address in their answers.
        return f"{words[1]} not you, <{address}>"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("hang@"):
            say(rcpt=address, answer="hangs")
            await asyncio.Event().wait()
        answer = self.to("rcpt", address)
        say(rcpt=address, answer=answer or "250")
        if answer:
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        answer = self.to("data", envelope.rcpt_tos[0])
        if answer:
            say(data=envelope.rcpt_tos[0], answer=answer)
            return answer
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        say(
            sender=envelope.mail_from,
            recipients=envelope.rcpt_tos,
            user=getattr(session, "user", None),
            tls=server.transport.get_extra_info("ssl_object") is not None,
            raw=envelope.content.decode("ascii", "backslashreplace"),
            headers=[[name, str(value)] for name, value in message.items()],
            parts=[[part.get_content_type(), part.get_content()] for part in message.walk() if not part.is_multipart()],
        )
        return "250 taken"


async def serve(options):
    answers = Answers()
    context = None
    if options.cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.cert, options.key)
    starttls = options.tls == "starttls"
    settings = {"hostname": "peer.example", "tls_context": context if starttls else None, "require_starttls": starttls}
    if options.login:

        def check(server, session, envelope, mechanism, data):
            given = f"{data.login.decode()}:{data.password.decode()}"
            good = given == options.login
            if good:
                session.user = data.login.decode()
            return AuthResult(success=good, handled=False)

        # aiosmtpd does not notice that a connection started with TLS.
        settings |= {"authenticator": check, "auth_required": True, "auth_require_tls": starttls}
    loop = asyncio.get_running_loop()
    implicit = context if options.tls == "implicit" else None
    server = await loop.create_server(lambda: SMTP(answers, **settings), "127.0.0.1", 0, ssl=implicit)
    say(port=server.sockets[0].getsockname()[1])
    ended = asyncio.Event()

    def wait_for_the_end():
        sys.stdin.read()
        loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=wait_for_the_end, daemon=True).start()
    await ended.wait()


parser = argparse.ArgumentParser()
parser.add_argument("--tls", choices=["starttls", "implicit"])
parser.add_argument("--cert")
parser.add_argument("--key")
parser.add_argument("--login")
asyncio.run(serve(parser.parse_args()))
