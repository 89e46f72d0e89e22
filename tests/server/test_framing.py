"""The framer gives the same bodies however the stream is cut, and survives anything."""

from hypothesis import given
from hypothesis import strategies as st

from assay.server.framing import MAX_BODY, MAX_DRAIN, MAX_LINE, Framer, Oversized


def frames(*chunks: bytes) -> list:
    framer = Framer()
    return [frame for chunk in chunks for frame in framer.feed(chunk)]


def wire(body: bytes, head: bytes = b"Content-Length") -> bytes:
    return b"%s: %d\r\n\r\n%s" % (head, len(body), body)


@given(st.lists(st.binary(max_size=60)), st.data())
def test_bodies_come_out_whole_and_in_order_however_the_stream_is_cut(bodies, data):
    stream = b"".join(wire(body) for body in bodies)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert frames(*chunks) == bodies


@given(st.lists(st.binary(max_size=200)))
def test_no_bytes_make_it_raise(chunks):
    frames(*chunks)


def test_a_header_in_lower_case_is_a_header():
    assert frames(wire(b"{}", b"content-length")) == [b"{}"]


def test_other_headers_and_bare_newlines_are_accepted():
    assert frames(b"Content-Type: x; charset=utf-8\nContent-Length: 2\nOther: 1\n\n{}") == [b"{}"]


def test_noise_before_a_header_is_skipped():
    assert frames(b"hello world\r\n\r\n\r\nnoise " + wire(b"{}")) == [b"{}"]


def test_noise_without_end_costs_no_message_behind_it():
    assert frames(b"\0" * 10 * MAX_LINE, wire(b"{}"), wire(b"[]")) == [b"{}", b"[]"]
    assert frames(b"\0" * 10 * MAX_LINE + wire(b"{}")) == [b"{}"]


def test_a_line_without_end_is_dropped_and_takes_no_memory():
    framer = Framer()
    for _ in range(100):
        assert framer.feed(b"x" * MAX_LINE) == []
    assert len(framer._buffer) <= MAX_LINE
    assert framer.feed(b"\r\n" + wire(b"{}")) == [b"{}"]


def test_an_oversized_body_is_reported_at_once_drained_and_the_next_one_is_read():
    framer = Framer()
    size = MAX_BODY + 1
    assert framer.feed(b"Content-Length: %d\r\n\r\n" % size) == [Oversized(size)]
    block = b"x" * (1 << 20)
    for _ in range(size // len(block)):
        assert framer.feed(block) == []
        assert len(framer._buffer) == 0
    assert framer.feed(b"x" + wire(b"{}")) == [b"{}"]


def test_an_absurd_length_is_not_waited_for():
    size = MAX_DRAIN + 1
    assert frames(b"Content-Length: %d\r\n\r\n" % size, wire(b"{}")) == [Oversized(size), b"{}"]


def test_a_length_that_is_no_number_is_no_length():
    assert frames(b"Content-Length: ten\r\n\r\n" + b"Content-Length: -5\r\n\r\n" + wire(b"{}")) == [b"{}"]
