"""Is the service in this container up? Exit code 0 or 1, for HEALTHCHECK; the image has no curl."""

import http.client
import os
import sys

SECONDS = 4


def healthy(port: int) -> bool:
    """Does /health answer with 200?"""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(0 if healthy(int(os.environ.get("PORT") or 7860)) else 1)
