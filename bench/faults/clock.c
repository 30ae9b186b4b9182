/* The wall clock, and the nanoseconds that a file adds to it: a clock that can be set forward and back.
 *
 * Preloaded into the processes of the house. libfaketime would do, but Debian 12's breaks time.sleep of
 * Python 3.11 unless it fakes the monotonic clock too (its issue 426), and no machine's clock does that.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *ahead;

__attribute__((constructor)) static void find_file(void) {
    const char *path = getenv("FAULTS_CLOCK");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *seen = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
    if (seen != MAP_FAILED) ahead = seen;
    close(file);
}

int clock_gettime(clockid_t id, struct timespec *moment) {
    int failed = (int)syscall(SYS_clock_gettime, id, moment);
    if (failed || !ahead || (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)) return failed;
    int64_t nanoseconds = moment->tv_sec * INT64_C(1000000000) + moment->tv_nsec + *ahead;
    moment->tv_sec = nanoseconds / 1000000000;
    moment->tv_nsec = nanoseconds % 1000000000;
    return 0;
}

int gettimeofday(struct timeval *restrict moment, void *restrict zone) {
    struct timespec exact;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &exact);
    moment->tv_sec = exact.tv_sec;
    moment->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *seconds) {
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (seconds) *seconds = exact.tv_sec;
    return exact.tv_sec;
}
